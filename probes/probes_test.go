package probes

import (
	"math"
	"testing"
)

func TestValue(t *testing.T) {
	tests := []struct {
		name  string
		v     Value
		known bool
		x     float64
	}{
		{"zero value", Value{}, false, 0},
		{"zero that was read", Of(0), true, 0},
		{"negative", Of(-1.5), true, -1.5},
		{"largest", Of(math.MaxFloat64), true, math.MaxFloat64},
		{"NaN", Of(math.NaN()), false, 0},
		{"infinity", Of(math.Inf(1)), false, 0},
		{"minus infinity", Of(math.Inf(-1)), false, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if x, known := tt.v.Get(); x != tt.x || known != tt.known || known != tt.v.Known() {
				t.Errorf("Get = %v %v, want %v %v", x, known, tt.x, tt.known)
			}
			want := 7.0
			if tt.known {
				want = tt.x
			}
			if got := tt.v.Or(7); got != want {
				t.Errorf("Or(7) = %v, want %v", got, want)
			}
		})
	}
	if Of(0).Equal(Value{}) || !Of(2).Equal(Of(2)) || Of(2).Equal(Of(3)) || !Of(math.NaN()).Equal(Value{}) {
		t.Error("Equal tells readings and absence apart wrongly")
	}
}
