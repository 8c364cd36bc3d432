package ledger

import (
	"fmt"
	"testing"
	"time"
)

func TestFailuresThatStay(t *testing.T) {
	stay := map[Failure]bool{
		{Class: OK}: false, {Class: Connect}: false, {Class: DNS}: false, {Class: TLS}: false,
		{Class: Timeout}: false, {Class: Reset}: false, {Class: StaleKeepalive}: false,
		{Class: HTTP3xx, Code: 301}: true, {Class: HTTP3xx, Code: 307}: true,
		{Class: HTTP4xx, Code: 400}: true, {Class: HTTP4xx, Code: 404}: true, {Class: HTTP4xx, Code: 422}: true,
		{Class: HTTP4xx, Code: 408}: false, {Class: HTTP4xx, Code: 425}: false, {Class: HTTP4xx, Code: 429}: false,
		{Class: HTTP5xx, Code: 500}: false, {Class: HTTP5xx, Code: 501}: false, {Class: HTTP5xx, Code: 503}: false,
		{Class: Rejected, Code: 429}: false, {Class: Protocol}: false, {Class: TooLarge, Code: 413}: true,
		{Class: BadBody, Code: 200}: false, {Class: WrongAnswer, Code: 200}: true,
		{Class: GRPC, Code: 3}: true, {Class: GRPC, Code: 5}: false, {Class: GRPC, Code: 7}: true, {Class: GRPC, Code: 8}: false,
		{Class: GRPC, Code: 12}: true, {Class: GRPC, Code: 13}: false, {Class: GRPC, Code: 14}: false, {Class: GRPC, Code: 16}: true,
		{Class: ClientLimit}: false, {Class: NotLoaded, Code: 404}: false, {Class: CutOff}: false,
	}
	seen := map[Class]bool{}
	for f, want := range stay {
		seen[f.Class] = true
		if got := permanent(&f); got != want {
			t.Errorf("%s: got %v", f.Name(), got)
		}
	}
	if len(seen) != int(classes) {
		t.Errorf("%d classes of %d are tried", len(seen), classes)
	}
}

func TestHopeless(t *testing.T) {
	shape := func(i int) Failure {
		return Failure{Class: HTTP4xx, Code: 400, Text: fmt.Sprintf("request %d: shape 3 != 4", i)}
	}
	all := func(f Failure) func(int) Failure { return func(int) Failure { return f } }
	odd := func(at int, f Failure) func(int) Failure { // all wrong but one
		return func(i int) Failure {
			if i == at {
				return f
			}
			return shape(i)
		}
	}
	wrong := Failure{Class: WrongAnswer, Code: 200, Text: "no outputs"}
	type lane struct {
		n   int
		end func(i int) Failure
	}
	tests := []struct {
		name  string
		lanes []lane
		want  bool
	}{
		{"wrong shape", []lane{{20, shape}}, true},
		{"nineteen", []lane{{19, shape}}, false},
		{"none", []lane{{0, shape}}, false},
		{"many", []lane{{500, shape}}, true},
		{"the first was ok", []lane{{30, odd(0, Failure{})}}, false},
		{"the last of them was ok", []lane{{30, odd(19, Failure{})}}, false},
		{"one after them was ok", []lane{{30, odd(25, Failure{})}}, false},
		{"one of them timed out", []lane{{30, odd(7, Failure{Class: Timeout})}}, false},
		{"one of them said something else", []lane{{30, odd(7, Failure{Class: HTTP4xx, Code: 400, Text: "no such input"})}}, false},
		{"one of them had another code", []lane{{30, odd(7, Failure{Class: HTTP4xx, Code: 422, Text: shape(7).Text})}}, false},
		{"one after them is another failure", []lane{{30, odd(25, Failure{Class: Timeout})}}, true},
		{"one was cut", []lane{{21, odd(7, Failure{Class: CutOff})}}, true},
		{"one of twenty was cut", []lane{{20, odd(7, Failure{Class: CutOff})}}, false},
		{"too many requests", []lane{{30, all(Failure{Class: HTTP4xx, Code: 429, Text: "slow down"})}}, false},
		{"not loaded", []lane{{30, all(Failure{Class: NotLoaded, Code: 404, Text: "servable not found"})}}, false},
		{"refused", []lane{{30, all(Failure{Class: Connect, Text: "connection refused"})}}, false},
		{"server errors", []lane{{30, all(Failure{Class: HTTP5xx, Code: 500, Text: "out of memory"})}}, false},
		{"two lanes", []lane{{20, shape}, {30, all(wrong)}}, true},
		{"another lane with none", []lane{{20, shape}, {0, nil}}, true},
		{"another lane with few that fail alike", []lane{{3, all(wrong)}, {20, shape}}, true},
		{"another lane with an ok", []lane{{20, shape}, {1, all(Failure{})}}, false},
		{"another lane that may recover", []lane{{20, shape}, {1, all(Failure{Class: Timeout})}}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := New(lanes(len(tt.lanes)))
			for n, lane := range tt.lanes {
				for i := lane.n - 1; i >= 0; i-- { // told in another order
					mustApply(t, l, fail(n, int64(i), time.Duration(i+1)*10*ms, lane.end(i))...)
				}
			}
			mustAdvance(t, l, 6*time.Second)
			f, got := l.Hopeless()
			if got != tt.want {
				t.Fatalf("got %v (%+v)", got, f)
			}
			if got && f.Class != HTTP4xx && f.Class != WrongAnswer || got && f.Text == shape(1).Text {
				t.Errorf("because of %+v", f)
			}
		})
	}
}

// The 20th counts once nothing can come before it any more, not only at the
// close of its second.
func TestHopelessIsKnownSoon(t *testing.T) {
	l := New(lanes(1))
	for i := range int64(20) {
		mustApply(t, l, fail(0, i, 100*ms+time.Duration(i)*ms, Failure{Class: TooLarge, Code: 413, Text: "5 MB"})...)
	}
	mustAdvance(t, l, 119*ms+Grace)
	if f, got := l.Hopeless(); got {
		t.Errorf("known too early: %+v", f)
	}
	mustAdvance(t, l, 120*ms+Grace)
	if f, got := l.Hopeless(); !got || f.Name() != "too-large" || f.Text != "5 MB" {
		t.Errorf("got %+v, %v", f, got)
	}
}

func TestATrialKeepsNothingOnceItIsOver(t *testing.T) {
	l := New(lanes(1))
	for i := range int64(100) {
		mustApply(t, l, story{i: i, due: 0, sent: 0, done: ms}.events()...)
	}
	mustAdvance(t, l, time.Second)
	mustApply(t, l, story{i: 100, due: time.Second, sent: time.Second, done: time.Second}.events()...)
	if n := len(l.lanes[0].trial.waiting); n > 0 {
		t.Errorf("%d requests wait to be looked at", n)
	}
}
