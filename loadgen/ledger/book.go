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
	open    openSet // empty in the total
	cur     Second
	own     int64  // open requests due in the open second
	lag     dist   // of the open second
	spans   []Span // of unpaused sending
	seconds []Second

	joined []*Cohort // immutable, of 10 s and 60 s
	recent []*cohort // one a second, ending with the open one
	older  *cohort

	tallies []Tally
	peers   []Peer
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
	switch e.Kind {
	case Due:
		b.due(e, own)
		c.due(e)
	case Sent:
		b.totals.Held--
		b.totals.InFlight++
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
	b.lag.add(e.Lag())
	b.lags.add(e.Lag())
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
	b.peer(e.Peer)
}

// doneLate is a request that was done after the instant up to which its lane
// has reported: sending may turn out to have ended before.
type doneLate struct {
	due, done time.Duration
	ok        bool
}

// reached forgets what was done before the instant at: no end can be earlier.
func (b *book) reached(at time.Duration) {
	b.late = slices.DeleteFunc(b.late, func(d doneLate) bool { return d.done <= at })
}

// stop notes that sending ended at the instant at, and how things stood then.
// What was done after it is taken back; steps of before that come later are
// booked into it by doneByEnd and by due.
func (b *book) stop(at time.Duration) {
	b.ended = at
	b.atEnd = AtEnd{at, b.totals.OK, b.totals.Failed, b.totals.Backlog()}
	for _, d := range b.late {
		switch {
		case d.done <= at:
			continue
		case d.ok:
			b.atEnd.OK--
		default:
			b.atEnd.Failed--
		}
		b.atEnd.Open++
	}
}

// edge counts the requests that are done by now but were open at an edge of
// which the ledger is told only now.
func (b *book) edge(at time.Duration) {
	for _, d := range b.late {
		if d.due < at && d.done >= at {
			b.cohort(d.due).spanned(at)
		}
	}
}

// doneByEnd counts what was done before sending ended and told after.
func (b *book) doneByEnd(e *Event) {
	switch {
	case b.ended == Never || e.Done > b.ended:
		return
	case e.OK():
		b.atEnd.OK++
	default:
		b.atEnd.Failed++
	}
	b.atEnd.Open--
}

// smallest is the smaller of two stamps, either of which may be Never.
func smallest(a, b time.Duration) time.Duration {
	if a == Never || b != Never && b < a {
		return b
	}
	return a
}

// OtherPeers stands for all addresses beyond the first 255.
const OtherPeers = "others"

const keepPeers = 256

func (b *book) peer(addr string) {
	if addr == "" {
		return
	}
	for i := range b.peers {
		if b.peers[i].Addr == addr {
			b.peers[i].OK++
			return
		}
	}
	switch len(b.peers) {
	case keepPeers:
		b.peers[keepPeers-1].OK++
	case keepPeers - 1:
		b.peers = append(b.peers, Peer{OtherPeers, 1})
	default:
		b.peers = append(b.peers, Peer{addr, 1})
	}
}

// tally returns the lane's account with a target; one that is not of its setup
// joins the others.
func (b *book) tally(target int) *Tally {
	for i := range b.tallies {
		if b.tallies[i].Target == target {
			return &b.tallies[i]
		}
	}
	b.tallies = append(b.tallies, Tally{Target: target})
	return &b.tallies[len(b.tallies)-1]
}

func (t *Tally) step(e *Event) {
	switch {
	case e.Kind == Due:
		t.Due++
		t.Open++
	case e.Kind == Done && e.OK():
		t.Open--
		t.OK++
	case e.Kind == Done:
		t.Open--
		t.Failed++
	}
}

// send says that the lane sends from at on, or no longer.
func (b *book) send(at time.Duration, on bool) {
	n := len(b.spans)
	sending := n > 0 && b.spans[n-1].To == Never
	switch {
	case on && !sending:
		b.spans = append(b.spans, Span{at, Never})
	case !on && sending:
		b.spans[n-1].To = at
	}
}

// stopSending says that the lane sends no longer from at on. What closed
// seconds counted after it, because the ledger was told late, is taken back.
func (b *book) stopSending(at time.Duration) {
	if n := len(b.spans); n > 0 && b.spans[n-1].To == Never {
		at = max(at, b.spans[n-1].From)
		closed := time.Duration(b.cur.K-1) * time.Second
		b.totals.Sending -= max(0, closed-at)
	}
	b.send(at, false)
}

// sending is the unpaused time of sending in [from, to).
func (b *book) sending(from, to time.Duration) (d time.Duration) {
	for _, s := range b.spans {
		end := to
		if s.To != Never {
			end = min(end, s.To)
		}
		d += max(0, end-max(from, s.From))
	}
	return d
}

// close ends the open second, opens the next and returns the closed one.
func (b *book) close() Second {
	k := b.cur.K
	end := time.Duration(k) * time.Second
	s := b.cur
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
	b.views = [3]*Dist{b.response.snapshot(), b.service.snapshot(), b.lags.snapshot()}
	b.begin(k + 1)
	b.join()
	return s
}
