package probes

import (
	"testing"
	"time"
)

func at(n int) Point { return Point{At: time.Duration(n) * time.Second, Sample: &Sample{}} }

func gapAt(n int, why string) Point { return Point{At: time.Duration(n) * time.Second, Why: why} }

func TestSeriesKeepsTheNewest(t *testing.T) {
	var s Series
	for n := range 5*Keep + 7 {
		s = s.With(at(n))
		if len(s.Points) > 2*Keep {
			t.Fatalf("%d points after %d, want at most %d", len(s.Points), n+1, 2*Keep)
		}
		if want := min(n+1, Keep); len(s.Points) < want {
			t.Fatalf("%d points after %d, want at least %d", len(s.Points), n+1, want)
		}
		for i, p := range s.Points {
			if want := time.Duration(n-len(s.Points)+1+i) * time.Second; p.At != want {
				t.Fatalf("after %d: point %d is of %v, want %v", n+1, i, p.At, want)
			}
		}
	}
}

// A published series reads the same whatever is appended to it later.
func TestSeriesIsNeverWrittenAgain(t *testing.T) {
	var s Series
	published := []Series{s}
	for n := range 4 * Keep {
		s = s.With(at(n))
		published = append(published, s)
	}
	for n, s := range published {
		if n == 0 {
			continue
		}
		if last := s.Points[len(s.Points)-1].At; last != time.Duration(n-1)*time.Second {
			t.Fatalf("series %d now ends at %v", n, last)
		}
		if first, want := s.Points[0].At, time.Duration(n-len(s.Points))*time.Second; first != want {
			t.Fatalf("series %d now begins at %v, want %v", n, first, want)
		}
	}
}

func TestSeriesLastAndGap(t *testing.T) {
	tests := []struct {
		name   string
		points []Point
		last   time.Duration // -1 for none
		since  time.Duration
		why    string
		gap    bool
	}{
		{name: "empty", last: -1},
		{name: "one sample", points: []Point{at(1)}, last: time.Second},
		{name: "only gaps", points: []Point{gapAt(-2, "a"), gapAt(3, "b")}, last: -1, since: -2 * time.Second, why: "b", gap: true},
		{name: "gap after samples", points: []Point{at(1), at(2), gapAt(3, "a"), gapAt(4, "b")}, last: 2 * time.Second, since: 3 * time.Second, why: "b", gap: true},
		{name: "gap that closed", points: []Point{at(1), gapAt(2, "a"), at(3)}, last: 3 * time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := Series{Name: "board"}
			for _, p := range tt.points {
				s = s.With(p)
			}
			p, ok := s.Last()
			if ok != (tt.last >= 0) || ok && p.At != tt.last {
				t.Errorf("Last = %v %v, want %v", p.At, ok, tt.last)
			}
			since, why, gap := s.Gap()
			if since != tt.since || why != tt.why || gap != tt.gap {
				t.Errorf("Gap = %v %q %v, want %v %q %v", since, why, gap, tt.since, tt.why, tt.gap)
			}
		})
	}
}

func TestSeriesStaysSimulatedOverGaps(t *testing.T) {
	s := Series{}.With(Point{Sample: &Sample{Simulated: true}}).With(gapAt(1, "off"))
	if !s.Simulated {
		t.Error("a gap made a simulated series real")
	}
}
