package probes

import "time"

// A Point is a sample on the run's clock. Before the run started At is negative.
type Point struct {
	At     time.Duration
	Sample *Sample // nil where the read failed
	Why    string  // why it failed
}

// A Series is what one source said over time. A published Series is never
// written again: appending makes a new one that shares the old points.
type Series struct {
	Name      string
	Simulated bool
	Points    []Point // oldest first; a nil Sample is a gap
}

// Keep is how many points a Series never loses: a quarter of an hour at one a
// second. It holds at most twice as many.
const Keep = 900

// With returns the series with p appended. Only the newest series of a source
// may be asked, by one goroutine: older ones share its memory.
func (s Series) With(p Point) Series {
	if len(s.Points) >= 2*Keep {
		s.Points = append(make([]Point, 0, 2*Keep+1), s.Points[len(s.Points)-Keep+1:]...)
	}
	s.Points = append(s.Points, p)
	if p.Sample != nil {
		s.Simulated = p.Sample.Simulated
	}
	return s
}

// Last returns the newest point that holds a sample, and false if none does.
func (s Series) Last() (Point, bool) {
	for i := len(s.Points) - 1; i >= 0; i-- {
		if s.Points[i].Sample != nil {
			return s.Points[i], true
		}
	}
	return Point{}, false
}

// Gap returns since when and why there is no data, if the newest point is a
// gap. A series without any point is no gap: it is waiting for its first.
func (s Series) Gap() (since time.Duration, why string, gap bool) {
	for i := len(s.Points) - 1; i >= 0 && s.Points[i].Sample == nil; i-- {
		since, gap = s.Points[i].At, true
		why = s.Points[len(s.Points)-1].Why
	}
	return since, why, gap
}
