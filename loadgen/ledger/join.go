package ledger

import "slices"

// stretches are how old seconds are joined so that memory stays bounded
// whatever the length of the run: one a second for a quarter of an hour, one
// every 10 s for the rest of the first hour, one a minute for five hours more,
// one every ten minutes for a week. What falls off the end remains in the
// totals and in the run file.
var stretches = [...]struct{ span, keep int }{
	{1, keepFine}, {10, 270}, {60, 300}, {600, 7 * 24 * 6},
}

const keepFine = 900

// join turns the oldest seconds of each span into one of the next span, and
// their cohorts with them.
func (b *book) join() {
	for i, s := range stretches {
		n := 1
		if i+1 < len(stretches) {
			n = stretches[i+1].span / s.span
		}
		if countSpan(b.seconds, s.span) < s.keep+n {
			return
		}
		switch {
		case n == 1:
			b.seconds = slices.Clone(b.seconds[1:])
			b.joined = slices.Clone(b.joined[1:])
		case i == 0:
			b.seconds = joinSeconds(b.seconds, s.span, n)
			b.joinCohorts()
		default:
			b.seconds = joinSeconds(b.seconds, s.span, n)
			b.joined = joinViews(b.joined, s.span, n)
		}
	}
}

func countSpan(s []Second, span int) (n int) {
	i, _ := slices.BinarySearchFunc(s, span, func(s Second, span int) int { return span - s.Span })
	for ; i < len(s) && s[i].Span == span; i++ {
		n++
	}
	return n
}

// joinSeconds makes one of the oldest n entries of that span, in a new list.
func joinSeconds(s []Second, span, n int) []Second {
	i := slices.IndexFunc(s, func(s Second) bool { return s.Span == span })
	out := append(make([]Second, 0, len(s)+keepFine), s[:i]...)
	sum := s[i]
	for _, t := range s[i+1 : i+n] {
		sum = joinTwo(sum, t)
	}
	return append(append(out, sum), s[i+n:]...)
}

// joinTwo adds the later second t to s: flows add up, stocks are t's, and the
// peak is the higher one.
func joinTwo(s, t Second) Second {
	s.K, s.Span = t.K, s.Span+t.Span
	s.Due += t.Due
	s.Sent += t.Sent
	s.OK += t.OK
	s.Failed += t.Failed
	for i := range s.Fail {
		s.Fail[i] += t.Fail[i]
	}
	s.Up += t.Up
	s.Down += t.Down
	s.Sending += t.Sending
	s.LagP99 = max(s.LagP99, t.LagP99)
	s.LagMax = max(s.LagMax, t.LagMax)
	s.Peak, s.Tenths = max(s.Peak, t.Peak), [10]Tenth{}
	s.Held, s.InFlight, s.OldLeft, s.ThisLeft = t.Held, t.InFlight, t.OldLeft, t.ThisLeft
	return s
}

// joinCohorts makes one of the ten oldest cohorts. Those still open go into
// older instead, where their requests will be booked from now on.
func (b *book) joinCohorts() {
	sum := newCohort(0)
	sum.c.Settled = true
	for _, c := range b.recent[:10] {
		to := sum
		if !c.c.Settled {
			to = b.olderOnes()
		}
		b.fold(to, c)
		sum.c.K = c.c.K
	}
	sum.c.Span = 10
	b.joined = append(b.joined[:len(b.joined):len(b.joined)], b.snapshot(sum))
	b.recent = slices.Clone(b.recent[10:])
}

// joinViews makes one of the n oldest cohorts of that span, in a new list.
func joinViews(s []*Cohort, span, n int) []*Cohort {
	i := slices.IndexFunc(s, func(c *Cohort) bool { return c.Span == span })
	sum := newCohort(0)
	sum.c.Settled = true
	for _, c := range s[i : i+n] {
		sum.addView(c)
		sum.c.K = c.K
	}
	v := sum.c
	v.Span = span * n
	v.Further, v.FurtherSent = -sum.lost.before(v.Over), -sum.lostSent.before(v.OverSent)
	v.Response, v.Service = sum.response.snapshot(), sum.service.snapshot()
	return slices.Concat(s[:i], []*Cohort{&v}, s[i+n:])
}

// fold adds d to c.
func (b *book) fold(c, d *cohort) {
	for _, r := range d.refs.list {
		if b.isOpen(r) {
			c.refs.add(r)
		}
	}
	c.dues.merge(d.dues)
	c.sents.merge(d.sents)
	c.addView(b.snapshot(d))
}

func (c *cohort) addView(v *Cohort) {
	c.view = nil
	c.c.K = max(c.c.K, v.K)
	c.c.Due += v.Due
	c.c.OK += v.OK
	c.c.Failed += v.Failed
	c.c.Open += v.Open
	c.c.Unsent += v.Unsent
	c.c.LastSent = max(c.c.LastSent, v.LastSent)
	c.c.SettledAt = max(c.c.SettledAt, v.SettledAt)
	c.c.Censored += v.Censored
	c.c.Over = smallest(c.c.Over, v.Over)
	c.c.CensoredSent += v.CensoredSent
	c.c.OverSent = smallest(c.c.OverSent, v.OverSent)
	c.c.Longest = max(c.c.Longest, v.Longest)
	c.c.LongestSent = max(c.c.LongestSent, v.LongestSent)
	c.lost.merge(about(v.Censored, v.Over+v.Further))
	c.lostSent.merge(about(v.CensoredSent, v.OverSent+v.FurtherSent))
	c.c.OpenAtChange = max(c.c.OpenAtChange, v.OpenAtChange)
	c.response.merge(v.Response)
	c.service.merge(v.Service)
}
