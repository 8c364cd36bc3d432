package study

import (
	"cmp"
	"slices"
	"time"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
)

// much is the share of its machine's ceiling above which a run may measure its
// driver.
const much = 0.5

// A Demand is what a run asks of the machine that drives it, at its most.
type Demand struct {
	Rate   float64   // requests per second of all lanes
	Body   int64     // the largest, in bytes
	Share  float64   // of what the self-test found, above a half
	Found  time.Time // when that was
	Others float64   // cores that other programs kept busy then
}

// Demand is what a run asks for, nil if that is no more than half of what the
// machine can drive, or if nothing is known. It adds up what each lane takes of
// the machine, rate × time a request, at the instant at which they all take
// most. Closed loops are not counted, which have no rate that the driver could
// miss, nor what was not measured.
//
// The setup is one that was prepared: its lanes know their bodies. path names the
// [Way.Path] that a protocol is sent by, "" if there is none.
func (t *SelfTest) Demand(setup *ledger.Setup, path func(protocol string) string) *Demand {
	lanes := t.costs(setup, path)
	var most Demand
	for at := range instants(setup) {
		d := Demand{Found: t.At, Others: t.Others}
		for _, l := range lanes {
			if r := l.rate(at); r > 0 && l.each > 0 {
				d.Rate += r
				d.Share += r * l.each
				d.Body = max(d.Body, l.body)
			}
		}
		if d.Share > most.Share {
			most = d
		}
	}
	if most.Share <= much {
		return nil
	}
	return &most
}

// A cost is what one lane takes of the machine.
type cost struct {
	rate func(at time.Duration) float64 // requests per second
	body int64                          // bytes
	each float64                        // seconds of the machine for a request; 0 if not known
}

func (t *SelfTest) costs(setup *ledger.Setup, path func(string) string) (out []cost) {
	for _, l := range setup.Lanes {
		c := cost{rate: rateOf(l), body: l.Setting.BodyBytes}
		for _, id := range l.Targets {
			if id < len(setup.Targets) {
				c.each = max(c.each, t.each(path(setup.Targets[id].Protocol), c.body))
			}
		}
		out = append(out, c)
	}
	return out
}

// rateOf is a lane's rate over the time of the run. Windows count by what they
// have on average, and not by their bursts.
func rateOf(l ledger.LaneSetup) func(time.Duration) float64 {
	spec, rate := l.Pattern, l.Setting.Rate
	spec.Arrivals = l.Setting.Arrivals
	switch {
	case l.Setting.Paused:
		return func(time.Duration) float64 { return 0 }
	case spec.Arrivals == pace.Burst:
		return func(time.Duration) float64 { return rate }
	case spec.Shape != nil || spec.Arrivals == pace.Traced:
		rate = l.Setting.Scale
	}
	return pace.Start(spec, rate, 0).Rate
}

// What a request of at most small bytes takes is mostly the same for all, and
// of large bytes and more mostly for its bytes.
const (
	small = 10_000
	large = 100_000
)

// each is the time of the machine that one request takes on a path, in seconds:
// one over the highest rate. Between the sizes that were measured it is taken to
// rise with the bytes in a straight line, which makes the rate lower than a line
// between the rates would. Less than a small one that was measured takes as
// long, and more than a large one as much longer as it is larger. 0 is not known.
func (t *SelfTest) each(path string, body int64) float64 {
	known := t.known(path)
	i, exact := slices.BinarySearchFunc(known, body, func(w Way, body int64) int { return cmp.Compare(w.Body, body) })
	time := func(i int) float64 { return 1 / known[i].Open.PerSecond }
	switch {
	case exact, i == 0 && len(known) > 0 && known[0].Body <= small:
		return time(i)
	case i == len(known) && i > 0 && known[i-1].Body >= large:
		return time(i-1) * float64(body) / float64(known[i-1].Body)
	case i == 0 || i == len(known):
		return 0
	}
	a, b := known[i-1].Body, known[i].Body
	return time(i-1) + (time(i)-time(i-1))*float64(body-a)/float64(b-a)
}

// known are the measured ways of a path, smallest body first.
func (t *SelfTest) known(path string) (out []Way) {
	for _, w := range t.Ways {
		if w.Path == path && w.Open != nil && w.Open.PerSecond > 0 && w.Body > 0 {
			out = append(out, w)
		}
	}
	slices.SortFunc(out, func(a, b Way) int { return cmp.Compare(a.Body, b.Body) })
	return out
}

// looks is at how many instants a rate that varies is looked at, at most.
const looks = 20_000

// instants are when the rates of a run are looked at: every second of it, or of
// its traces, or of a day where neither says how long it is.
func instants(setup *ledger.Setup) func(yield func(time.Duration) bool) {
	end, varies := setup.Length, false
	for _, l := range setup.Lanes {
		if l.Pattern.Trace != nil && setup.Length == 0 {
			end = max(end, l.Pattern.Trace.Length())
		}
		varies = varies || l.Pattern.Shape != nil || l.Pattern.Trace != nil
	}
	if end == 0 {
		end = 24 * time.Hour
	}
	every := max(time.Second, end/looks)
	return func(yield func(time.Duration) bool) {
		for at := time.Duration(0); at < end && yield(at) && varies; at += every {
			continue
		}
	}
}
