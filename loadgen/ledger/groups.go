package ledger

import "time"

// A FailureGroup is the failed requests of one kind: of one class and code,
// with texts of one [Pattern]. First and Last are by the instant at which they
// were done.
type FailureGroup struct {
	Class       Class
	Code        int // as in [Failure]
	Count       int64
	First, Last FailureSample
}

// Name is the class as shown, as of [Failure.Name].
func (g *FailureGroup) Name() string { return Failure{Class: g.Class, Code: g.Code}.Name() }

// A FailureSample is one failed request.
type FailureSample struct {
	At     time.Duration // when it was done
	Lane   int
	I      int64 // its number within the lane
	Target int
	Text   string // as in [Failure]
}

const (
	keepGroups = 64
	keepTexts  = 1024 // texts of which the kind is remembered
)

// groups sorts the failures of a lane by their kinds. What comes of further
// kinds once there are keepGroups of them is only counted.
type groups struct {
	list   []FailureGroup
	others int64
	kinds  map[Failure]int // by class, code and pattern
	known  map[Failure]int // by class, code and text; bounded
	view   []FailureGroup  // immutable, as of the last close
}

// noKind is the number of the kinds that are only counted.
const noKind = -1

func (g *groups) add(f *Failure, at FailureSample) {
	k := g.kind(f)
	if k == noKind {
		g.others++
		return
	}
	g.view = nil
	group := &g.list[k]
	if group.Count == 0 || at.At < group.First.At { // it was told late
		group.First = at
	}
	if group.Count == 0 || at.At >= group.Last.At {
		group.Last = at
	}
	group.Count++
}

// kind returns the number of the failure's kind. Most failures say what one
// before them did.
func (g *groups) kind(f *Failure) int {
	k, ok := g.known[*f]
	if ok {
		return k
	}
	if g.known == nil || len(g.known) >= keepTexts {
		g.known = map[Failure]int{}
	}
	k = g.find(f)
	g.known[*f] = k
	return k
}

func (g *groups) find(f *Failure) int {
	key := Failure{Class: f.Class, Code: f.Code, Text: Pattern(f.Text)}
	k, ok := g.kinds[key]
	switch {
	case ok:
		return k
	case len(g.list) == keepGroups:
		return noKind
	case g.kinds == nil:
		g.kinds = map[Failure]int{}
	}
	g.kinds[key] = len(g.list)
	g.list = append(g.list, FailureGroup{Class: f.Class, Code: f.Code})
	return len(g.list) - 1
}

// snapshot returns the present state as a list that is never written.
func (g *groups) snapshot() []FailureGroup {
	if g.view == nil && len(g.list) > 0 {
		g.view = append(make([]FailureGroup, 0, len(g.list)), g.list...)
	}
	return g.view
}
