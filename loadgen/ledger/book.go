package ledger

import (
	"slices"
	"time"
)

// book is the account of one lane, or of all together.
type book struct {
	info    LaneSetup
	setting Setting
	ended   time.Duration // or Never
	atEnd   AtEnd
	late    []doneLate // done after all that the lane is known to have reached
	loading string

	totals  Totals
	peak    int64   // highest backlog in a closed second
	open    openSet // empty in the total
	cur     Second
	own     int64         // open requests due in the open second
	course  course        // of the open second
	lag     dist          // of the open second
	spans   []Span        // of unpaused sending
	until   time.Duration // end of the last one that has ended
	seconds []Second

	joined []*Cohort // immutable, of 10 s and 60 s
	recent []*cohort // one a second, ending with the open one
	older  *cohort

	tallies []Tally
	peers   peers
	groups  groups
	trial   trial // of a lane
	isOpen  func(ref) bool

	response, service, lags dist
	views                   [3]*Dist // of those, at the last close
}

func newBook(info LaneSetup) *book {
	b := &book{info: info, setting: info.Setting, ended: Never}
	b.totals.Over, b.totals.OverSent = Never, Never
	for _, t := range info.Targets {
		b.tallies = append(b.tallies, Tally{Target: t})
	}
	b.begin(1)
	return b
}

// begin opens second k.
func (b *book) begin(k int) {
	b.cur = Second{K: k, Span: 1, Held: b.totals.Held, InFlight: b.totals.InFlight}
	b.own = 0
	b.course.begin(k)
	b.lag.reset()
	c := newCohort(k)
	if n := len(b.seconds); n > 0 { // it will be about as large as the last
		c.refs.list = make([]ref, 0, b.seconds[n-1].Due)
	}
	b.recent = append(b.recent, c)
}

// step books one step in every account of the book. r is what was known of
// the request before.
func (b *book) step(e *Event, r *request, edges []time.Duration) {
	own := SecondOf(e.Due) == b.cur.K
	c := b.cohort(e.Due)
	if SecondOf(e.At()) < b.cur.K {
		b.totals.Late++
	}
	b.course.step(e, r.sent != Never)
	if e.starts() {
		b.lag.add(e.Lag())
		b.lags.add(e.Lag())
	}
	switch e.Kind {
	case Due:
		b.due(e, own)
		c.due(e)
	case Sent:
		b.totals.Held--
		b.totals.InFlight++
		b.totals.Sent++
		b.cur.Sent++
		c.sent(e)
	case Done:
		b.done(e, r, own)
		c.done(e, r, edges)
		b.doneByEnd(e)
		if b.ended == Never {
			b.late = append(b.late, doneLate{e.Due, e.Done, e.OK()})
		}
	}
	if b.info.ID != All {
		b.tally(e.Target).step(e)
	}
}

func (b *book) due(e *Event, own bool) {
	b.totals.Due++
	b.totals.Held++
	if b.ended != Never {
		b.atEnd.Open++ // all are due before the end
	}
	b.cur.Due++
	if own {
		b.own++
	}
}

func (b *book) done(e *Event, r *request, own bool) {
	if own {
		b.own--
	}
	if r.sent == Never {
		b.totals.Held--
	} else {
		b.totals.InFlight--
	}
	b.totals.Up += e.Up
	b.totals.Down += e.Down
	b.cur.Up += e.Up
	b.cur.Down += e.Down
	if !e.OK() {
		b.totals.Failed++
		b.totals.Fail[e.Failure.Class]++
		b.cur.Failed++
		b.cur.Fail[e.Failure.Class]++
		if e.Failure.Class.Censored() {
			b.totals.Censored++
			b.totals.Over = smallest(b.totals.Over, e.Response())
			if r.sent != Never {
				b.totals.CensoredSent++
				b.totals.OverSent = smallest(b.totals.OverSent, e.Service())
			}
		}
		return
	}
	b.totals.OK++
	b.cur.OK++
	b.response.add(e.Response())
	b.service.add(e.Service())
	b.peers.add(e.Peer)
}

// close ends the open second, opens the next and returns the closed one.
func (b *book) close() Second {
	k := b.cur.K
	end := time.Duration(k) * time.Second
	s := b.cur // Held and InFlight as it began
	b.course.tell(&s, s.Backlog(), s.Held)
	s.Held, s.InFlight = b.totals.Held, b.totals.InFlight
	s.ThisLeft = b.own
	s.OldLeft = s.Backlog() - b.own
	s.Sending = b.sending(end-time.Second, end)
	s.LagP99, s.LagMax = Never, Never
	if v := b.lag.snapshot(); v != nil {
		s.LagP99, s.LagMax = v.Rank(rankOf(0.99, v.n)), v.Max()
	}
	b.totals.Sending += s.Sending
	b.spans = slices.DeleteFunc(b.spans, func(s Span) bool { return s.To != Never && s.To <= end })
	b.seconds = append(b.seconds, s)
	b.peak = max(b.peak, s.Peak)
	b.views = [3]*Dist{b.response.snapshot(), b.service.snapshot(), b.lags.snapshot()}
	b.begin(k + 1)
	b.join()
	return s
}
