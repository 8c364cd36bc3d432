package ledger

import (
	"slices"
	"time"
)

// cohort collects what became of the requests due in one second. Its views
// are immutable.
type cohort struct {
	c                 Cohort
	response, service dist
	refs              refs
	dues, sents       stamps                  // of the open ones: due, and sent
	lost, lostSent    stamps                  // bounds of those given up
	atEdge            map[time.Duration]int64 // requests that were open at it and are done
	atChange          int64                   // as of the last close
	view              *Cohort                 // of the present state, nil if it changed
}

func newCohort(k int) *cohort {
	return &cohort{c: Cohort{K: k, Span: 1, LastSent: Never, Youngest: Never, Over: Never, OverSent: Never, SettledAt: Never}}
}

// cohort returns the one that a request due then belongs to.
func (b *book) cohort(due time.Duration) *cohort {
	k := SecondOf(due)
	if i := k - b.recent[0].c.K; i >= 0 {
		return b.recent[i]
	}
	return b.olderOnes()
}

// olderOnes holds what left the list while open.
func (b *book) olderOnes() *cohort {
	if b.older == nil {
		b.older = newCohort(0)
		b.older.c.Older = true
	}
	return b.older
}

// settleOlder marks those as complete once none of them is open, at the end of the
// run, and returns them; nil if there are none.
func (b *book) settleOlder() *Cohort {
	if b.older == nil || b.older.c.Open > 0 {
		return nil
	}
	b.older.c.Settled, b.older.view = true, nil
	return b.snapshot(b.older)
}

func (c *cohort) due(e *Event) {
	c.view = nil
	c.c.Due++
	c.c.Open++
	c.c.Unsent++
	c.c.Settled = false
	c.dues.add(e.Due)
	c.refs.add(ref{e.Due, e.I, e.Lane})
}

func (c *cohort) sent(e *Event) {
	c.view = nil
	c.c.Unsent--
	c.c.LastSent = max(c.c.LastSent, e.Sent)
	c.sents.add(e.Sent)
}

func (c *cohort) done(e *Event, r *request, edges []time.Duration) {
	c.view = nil
	c.c.Open--
	c.dues.remove(e.Due)
	if r.sent == Never {
		c.c.Unsent--
	} else {
		c.sents.remove(r.sent)
	}
	c.c.SettledAt = max(c.c.SettledAt, e.Done)
	if n := len(edges); n > 0 && edges[n-1] > e.Due {
		for _, edge := range between(edges, e.Due, e.Done) {
			c.spanned(edge)
		}
	}
	switch {
	case e.OK():
		c.c.OK++
		c.response.add(e.Response())
		c.service.add(e.Service())
	default:
		c.c.Failed++
		if e.Failure.Class.Censored() {
			c.c.Censored++
			c.c.Over = smallest(c.c.Over, e.Response())
			c.c.Longest = max(c.c.Longest, e.Response())
			c.lost.add(e.Response())
			if r.sent != Never {
				c.c.CensoredSent++
				c.c.OverSent = smallest(c.c.OverSent, e.Service())
				c.c.LongestSent = max(c.c.LongestSent, e.Service())
				c.lostSent.add(e.Service())
			}
		}
	}
}

// spanned counts a done request that was open at an edge.
func (c *cohort) spanned(edge time.Duration) {
	if c.atEdge == nil {
		c.atEdge = map[time.Duration]int64{}
	}
	c.atEdge[edge]++
}

// between returns the edges after from and before to: what is done at an edge is
// not open any more.
func between(edges []time.Duration, from, to time.Duration) []time.Duration {
	lo, _ := slices.BinarySearch(edges, from+1)
	hi, _ := slices.BinarySearch(edges, to)
	return edges[lo:max(lo, hi)]
}

// countAtChange brings up to date, at a close, how many requests of each
// cohort were open at one of the edges.
func (b *book) countAtChange(edges []time.Duration) {
	for _, c := range b.recent {
		if c.c.Settled {
			continue
		}
		if n := b.openAtChange(c, edges); n != c.atChange {
			c.atChange, c.view = n, nil
		}
	}
}

// snapshot returns the present state of c as an immutable Cohort.
func (b *book) snapshot(c *cohort) *Cohort {
	if c.view != nil {
		return c.view
	}
	v := c.c
	if !v.Settled {
		v.SettledAt = Never
	}
	c.refs.tidy(b.isOpen, v.Open)
	v.Youngest = c.refs.youngest()
	v.Further, v.FurtherSent = -c.lost.before(v.Over), -c.lostSent.before(v.OverSent)
	v.Earlier, v.EarlierSent = c.dues.before(v.Youngest), c.sents.before(v.LastSent)
	if v.Open > 0 {
		v.Earliest = v.Youngest - c.refs.oldest()
	}
	v.OpenAtChange = max(v.OpenAtChange, c.atChange)
	v.Response, v.Service = c.response.snapshot(), c.service.snapshot()
	c.view = &v
	return c.view
}

func (b *book) openAtChange(c *cohort, edges []time.Duration) (most int64) {
	for _, n := range c.atEdge {
		most = max(most, n)
	}
	if c.c.Open == 0 {
		return most
	}
	for _, edge := range between(edges, time.Duration(c.c.K-1)*time.Second, time.Duration(1<<62)) {
		n := c.atEdge[edge] + c.c.Open
		if SecondOf(edge) == c.c.K {
			n -= c.refs.from(edge, b.isOpen) // they were due after it
		}
		most = max(most, n)
	}
	return most
}

// settle marks the cohorts that are complete and returns them.
func (b *book) settle(frontier time.Duration, edges []time.Duration) (settled []*Cohort) {
	for _, c := range b.recent[:len(b.recent)-1] {
		if c.c.Settled || c.c.Open > 0 || frontier < time.Duration(c.c.K)*time.Second {
			continue
		}
		c.c.Settled, c.view, c.refs = true, nil, refs{}
		c.atChange = b.openAtChange(c, edges)
		c.response.seal()
		c.service.seal()
		settled = append(settled, b.snapshot(c))
	}
	return settled
}

// smallest is the smaller of two stamps, either of which may be Never.
func smallest(a, b time.Duration) time.Duration {
	if a == Never || b != Never && b < a {
		return b
	}
	return a
}
