package ledger

import (
	"cmp"
	"slices"
	"time"
)

// hopelessAfter is how many requests of a lane have to fail alike.
const hopelessAfter = 20

// Hopeless reports that the run cannot work, and the failure that says why: no
// request of any lane was ok, and of each lane of which 20 are done the first
// 20, in order of stamps, all failed for the same reason, one that neither time
// nor less load mends. Requests that were cut count for nothing. A lane of
// which fewer are done does not keep the run alive, unless one of its requests
// came to anything else. The failure is the first of the first such lane.
//
// The reason is the same if class, code and [Pattern] of the text are, and one
// of these:
//
//	http-3xx            redirects are not followed: the URL is another one
//	http-4xx            the request is wrong; but 408 (too slow), 425 (too
//	                    early) and 429 (too many) tell to come again
//	too-large           every body is as large
//	wrong-answer        the endpoint does something else
//	grpc-3, 12          invalid argument, unimplemented
//	grpc-7, 16          permission denied, unauthenticated
//
// All others may pass. Connect, dns, reset, stale-keepalive, timeout, http-5xx
// and rejected are a server that starts, restarts or is overloaded; not-loaded
// and grpc-5 (not found) a model that is being loaded; client-limit is this
// machine. Bad-body is also an answer that broke off, or a proxy's page while
// the server behind it starts; tls also a handshake that took too long; and
// protocol also a violation in the course of a run and what nobody knows.
//
// It is known as soon as an Advance is [Grace] past the stamp of the 20th.
func (l *Ledger) Hopeless() (Failure, bool) {
	var why *Failure
	for _, b := range l.lanes {
		switch {
		case b.totals.OK > 0 || b.trial.hope:
			return Failure{}, false
		case why == nil && b.trial.n == hopelessAfter:
			why = &b.trial.first
		}
	}
	if why == nil {
		return Failure{}, false
	}
	return *why, true
}

// permanent reports whether neither time nor less load mends the failure.
func permanent(f *Failure) bool {
	switch f.Class {
	case HTTP3xx, TooLarge, WrongAnswer:
		return true
	case HTTP4xx:
		return !slices.Contains([]int{408, 425, 429}, f.Code)
	case GRPC:
		return slices.Contains([]int{3, 7, 12, 16}, f.Code)
	}
	return false
}

// trial is how the first requests of a lane ended.
type trial struct {
	waiting []attempt // until all that were done before them are told
	n       int       // so many failed alike, for a reason that stays
	first   Failure   // of those
	pattern string
	hope    bool // one of them was not like the others, or may pass
}

// attempt is the end of one request.
type attempt struct {
	at      time.Duration
	i       int64
	failure Failure
}

// over reports whether no more requests matter.
func (t *trial) over() bool { return t.hope || t.n == hopelessAfter }

func (t *trial) add(e *Event) {
	if !t.over() && e.Failure.Class != CutOff {
		t.waiting = append(t.waiting, attempt{e.Done, e.I, e.Failure})
	}
}

// look looks at the requests that were done before the instant at.
func (t *trial) look(at time.Duration) {
	slices.SortFunc(t.waiting, func(a, b attempt) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.i, b.i))
	})
	n := 0
	for n < len(t.waiting) && t.waiting[n].at < at && !t.over() {
		t.judge(&t.waiting[n].failure)
		n++
	}
	t.waiting = slices.Delete(t.waiting, 0, n)
	if t.over() {
		t.waiting = nil
	}
}

func (t *trial) judge(f *Failure) {
	pattern := Pattern(f.Text)
	switch {
	case !permanent(f):
		t.hope = true
	case t.n == 0:
		t.first, t.pattern = *f, pattern
	case f.Class != t.first.Class || f.Code != t.first.Code || pattern != t.pattern:
		t.hope = true
	}
	if !t.hope {
		t.n++
	}
}
