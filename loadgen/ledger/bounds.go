package ledger

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Times is what is known at one instant of how long the requests of a set took:
// those that were ok exactly, those still open at least so long as they are open
// by then, and timeouts and cut ones at least so long as bounds them. A statistic
// of the first alone would be one of those that were quick.
//
//	ok    ··: ··  ·   ·
//	open      ├──▶   ├──▶        in ranks at the age of the youngest of their cohort
//	lost   ├──▶  ├──▶            above all others, and above their own bound
type Times struct {
	d          *Dist
	open, lost []atLeast // in order
}

// atLeast are requests each of which took or will take at least so long.
type atLeast struct {
	n     int64
	least time.Duration // the shortest of these times
	mean  time.Duration // of them
	most  time.Duration // the longest, as far as it is known: no less than the mean
}

// bounded are n that took least or more, on average by so much, and one of them
// most if not more.
func bounded(n int64, least, more, most time.Duration) atLeast {
	least = max(0, least)
	mean := least + max(0, more)
	return atLeast{n, least, mean, max(mean, most)}
}

// Responses are the responses of the cohort's requests as known at the instant
// at.
func (c *Cohort) Responses(at time.Duration) Times {
	var t Times
	t.d = c.Response
	t.responses(c, at)
	return t
}

// Services are the services, done − sent, of those of them that were sent. In
// ranks open ones stand at the age of the last that was sent.
func (c *Cohort) Services(at time.Duration) Times {
	var t Times
	t.d = c.Service
	t.services(c, at)
	return t
}

// Responses are the responses of the lane's requests as known at the instant at.
// The lane is one of a snapshot made at that instant, at the close of a second or
// at the end of the run: see [Snapshot.Reached].
func (l *Lane) Responses(at time.Duration) Times {
	t := Times{d: l.Response}
	gone := l.Censored // in no cohort any more
	for c := range l.all() {
		t.responses(c, at)
		gone -= c.Censored
	}
	t.lose(bounded(gone, l.Over, 0, 0))
	return t.inOrder()
}

// Services are the services, done − sent, of those of them that were sent.
func (l *Lane) Services(at time.Duration) Times {
	t := Times{d: l.Service}
	gone := l.CensoredSent
	for c := range l.all() {
		t.services(c, at)
		gone -= c.CensoredSent
	}
	t.lose(bounded(gone, l.OverSent, 0, 0))
	return t.inOrder()
}

// Responses are the responses of the requests to a target, of a snapshot made at
// the instant at. What is not ok is not known by cohort: in ranks open ones stand
// at the age of the youngest, timeouts and cut ones at the smallest of their bounds.
func (s *TargetState) Responses(at time.Duration) Times {
	t := Times{d: s.Response}
	t.wait(s.Open, at, s.LastDue, s.Earlier, 0)
	t.lose(bounded(s.Censored, s.Over, s.Further, s.Longest))
	return t
}

// Reached returns what a lane of s, or all together, was at the last instant up to
// which its distributions go, and that instant: in a run that is over, and in an
// [Snapshot.AtClose], the lane itself, else what it was at the last close. It is
// nil before the first.
func (s *Snapshot) Reached(l *Lane) (*Lane, time.Duration) {
	switch id := l.Info.ID; {
	case s.Phase == Ended || s.AtClose == nil && s.Closed > 0:
		return l, s.At
	case s.AtClose == nil:
		return nil, 0
	case l != &s.Total && id >= 0 && id < len(s.AtClose.Lanes):
		return &s.AtClose.Lanes[id], s.AtClose.At
	}
	return &s.AtClose.Total, s.AtClose.At
}

// EndOf is when a lane of s had stopped sending and was done with its last request,
// whatever other lanes still do; before that, and for all together, it is s.At.
// Where the former is not known it is s.At too.
func (s *Snapshot) EndOf(l *Lane) time.Duration {
	if l.Info.ID == All || !l.Ended || l.Backlog() > 0 || l.Older != nil {
		return s.At
	}
	end := l.AtEnd.At
	for c := range l.all() {
		switch {
		case c.Due == 0:
		case !c.Settled:
			return s.At
		default:
			end = max(end, c.SettledAt)
		}
	}
	return min(end, s.At)
}

// all yields every cohort that the lane still knows.
func (l *Lane) all() func(yield func(*Cohort) bool) {
	return func(yield func(*Cohort) bool) {
		if l.Older != nil && !yield(l.Older) {
			return
		}
		for _, c := range l.Cohorts {
			if c != nil && !yield(c) {
				return
			}
		}
	}
}

// responses adds what bounds the responses of a cohort.
func (t *Times) responses(c *Cohort, at time.Duration) {
	t.wait(c.Open, at, c.Youngest, c.Earlier, c.Earliest)
	t.lose(bounded(c.Censored, c.Over, c.Further, c.Longest))
}

// services adds what bounds the services of a cohort.
func (t *Times) services(c *Cohort, at time.Duration) {
	t.wait(c.Open-c.Unsent, at, c.LastSent, c.EarlierSent, 0)
	t.lose(bounded(c.CensoredSent, c.OverSent, c.FurtherSent, c.LongestSent))
}

// wait adds n requests that are open since then, Never if that is not known, or
// longer: on average by so much, and one of them by most if not by more.
func (t *Times) wait(n int64, at, since, mean, most time.Duration) {
	if n <= 0 {
		return
	}
	if since == Never {
		t.open = append(t.open, bounded(n, 0, 0, 0))
		return
	}
	least := max(0, at-since)
	t.open = append(t.open, bounded(n, least, at-since+mean-least, at-since+most))
}

// lose adds requests that were given up.
func (t *Times) lose(b atLeast) {
	if b.n > 0 {
		t.lost = append(t.lost, b)
	}
}

func (t Times) inOrder() Times {
	t.open, t.lost = inOrder(t.open), inOrder(t.lost)
	return t
}

func inOrder(list []atLeast) []atLeast {
	slices.SortFunc(list, func(a, b atLeast) int { return cmp.Compare(a.least, b.least) })
	return list
}

func sumOf(list []atLeast) (n int64) {
	for _, b := range list {
		n += b.n
	}
	return n
}

// Known are the times of d, all of them known.
func Known(d *Dist) Times { return Times{d: d} }

// OK are those that are known exactly: of the ok ones.
func (t Times) OK() *Dist { return t.d }

// N is the number of requests in the ranks.
func (t Times) N() int64 { return t.d.N() + sumOf(t.open) + sumOf(t.lost) }

// Quantile returns the q-quantile, rank ⌈q·n⌉ over ok, open and lost ones.
// Those lost stand above every other: a quantile among them is above all that was
// seen, and above what theirs bound it to.
func (t Times) Quantile(q float64) Quantile {
	below := t.d.N() + sumOf(t.open)
	n := below + sumOf(t.lost)
	if n == 0 {
		return Quantile{}
	}
	r := rankOf(q, n)
	out := Quantile{Thin: float64(n)*(1-q) < 1-1e-9, Bound: Measure}
	if r <= below {
		var depends bool
		if out.Value, depends = ranked(t.d, t.open, r); depends {
			out.Bound = AtLeast
		}
		return out
	}
	out.Value, _ = ranked(t.d, inOrder(slices.Concat(t.open, t.lost)), r)
	out.Value, out.Bound = max(out.Value, t.d.Max()), Over
	if n := len(t.open); n > 0 {
		out.Value = max(out.Value, t.open[n-1].least)
	}
	return out
}

// Mean is the arithmetic mean with each bound as a value, Never if there are no
// requests, and whether it is only a lower bound, because there is a bound.
func (t Times) Mean() (mean time.Duration, atLeast bool) {
	if t.N() == 0 {
		return Never, false
	}
	mean, _, _ = meanOf([]*Dist{t.d}, t.open, t.lost)
	return mean, t.N() > t.d.N()
}

// Max is the largest value or bound, Never if there are no requests, and whether
// it is only a lower bound.
func (t Times) Max() (most time.Duration, atLeast bool) {
	if t.N() == 0 {
		return Never, false
	}
	_, most, _ = meanOf([]*Dist{t.d}, t.open, t.lost)
	return most, t.N() > t.d.N()
}

// meanOf returns the mean and the maximum of values and bounds, each bound taken
// as a value, and how many there are.
func meanOf(values []*Dist, bounds ...[]atLeast) (mean, most time.Duration, n int64) {
	var sum float64 // µs
	for _, d := range values {
		if d.N() > 0 {
			n += d.n
			sum += float64(d.sum)
			most = max(most, d.Max())
		}
	}
	for _, b := range slices.Concat(bounds...) {
		n += b.n
		sum += float64(b.mean) / 1e3 * float64(b.n)
		most = max(most, b.most)
	}
	if n > 0 {
		mean = time.Duration(math.Round(sum / float64(n) * 1e3))
	}
	return mean, most, n
}

// ranked returns the value of rank r among those of d and the bounds, which
// are in order, and whether it depends on these: then it is a lower bound.
func ranked(d *Dist, bounds []atLeast, r int64) (v time.Duration, depends bool) {
	var before int64
	for _, b := range bounds {
		below := before + d.Below(b.least)
		if r <= below {
			break
		}
		v, depends = b.least, true // the ranks above are no less, though buckets are coarse
		if before += b.n; r <= below+b.n {
			return v, true
		}
	}
	return max(v, d.Rank(r-before)), depends
}
