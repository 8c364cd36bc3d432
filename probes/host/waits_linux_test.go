package host

import "testing"

func TestWaited(t *testing.T) {
	last := map[string]uint64{"1": 5e9, "2": 1e9, "3": 9e9}
	now := map[string]uint64{
		"1": 5.5e9, // waited half a second
		"2": 1e9,   // had nothing to do
		"3": 2e9,   // is another thread by now
		"4": 1e9,   // is new
	}
	if got := waited(now, last); got != 3.5 {
		t.Errorf("waited = %v s, want 3.5", got)
	}
	if got := waited(nil, last); got != 0 {
		t.Errorf("waited without threads = %v s, want 0", got)
	}
}
