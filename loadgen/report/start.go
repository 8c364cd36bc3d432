package report

import (
	"slices"
	"strings"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
)

// Start returns the lines that say what is about to be sent, when and where.
func Start(c *lang.Catalogue, s *ledger.Setup) string {
	if s == nil {
		return ""
	}
	b := beginning{c: c, s: s}
	for _, t := range s.Targets {
		b.line(lang.PlainTarget, lang.With("target", t.Name), lang.With("url", t.URL), lang.With("protocol", t.Protocol))
	}
	b.lanes()
	b.pools()
	for _, p := range s.Payload {
		b.line(lang.PlainPayload, lang.With("payload", p))
	}
	b.limits()
	b.length()
	b.line(lang.PlainSeed, lang.With("seed", s.Seed))
	return b.String()
}

// beginning writes what a run is started with.
type beginning struct {
	strings.Builder
	c *lang.Catalogue
	s *ledger.Setup
}

func (b *beginning) line(id lang.ID, args ...ledger.Arg) {
	b.WriteString(cleanLine(b.c.T(id, args...)) + "\n")
}

// lanes says how the requests of each become due, and of all together.
func (b *beginning) lanes() {
	for i := range b.s.Lanes {
		l := &b.s.Lanes[i]
		b.line(lang.PlainLane, lang.With("lane", l.Name), lang.With("model", l.Setting.Model),
			lang.With("due", howDue(b.c, l)), lang.With("targets", b.sentTo(l)))
	}
	if mix, sum := mixOf(b.s.Lanes); mix != "" {
		b.line(lang.PlainMix, lang.With("mix", mix), lang.With("rate", written(sum)))
	}
	if b.s.Workload != "" {
		b.line(lang.PlainTrace, lang.With("file", b.s.Workload), lang.With("hash", b.s.Hash[:min(len(b.s.Hash), 16)]))
	}
}

// sentTo lists the targets of a lane, nothing where each lane has all there are.
func (b *beginning) sentTo(l *ledger.LaneSetup) string {
	some := func(l ledger.LaneSetup) bool { return l.Setting.Target != "" || len(l.Targets) < len(b.s.Targets) }
	switch {
	case l.Setting.Target != "":
		return l.Setting.Target
	case !slices.ContainsFunc(b.s.Lanes, some):
		return ""
	}
	var names []string
	for _, id := range l.Targets {
		names = append(names, targetName(b.s, id))
	}
	return strings.Join(names, ", ")
}

// pools says how requests are dealt to several targets, a line for each pool
// and way.
func (b *beginning) pools() {
	var pools []string
	lanes := map[string][]string{}
	for i := range b.s.Lanes {
		l := &b.s.Lanes[i]
		if len(l.Targets) < 2 || l.Balance == "" || l.Setting.Target != "" {
			continue
		}
		id := lang.PlainPool
		switch {
		case len(l.Weights) == 0:
		case l.Balance == leastWait:
			id = lang.PlainPoolRates
		default:
			id = lang.PlainPoolShares
		}
		pool := b.c.T(id, lang.With("targets", weighted(b.s, l)), lang.With("balance", l.Balance))
		if lanes[pool] == nil {
			pools = append(pools, pool)
		}
		lanes[pool] = append(lanes[pool], l.Name)
	}
	for _, pool := range pools {
		of := lanes[pool]
		if len(of) == len(b.s.Lanes) {
			of = nil
		}
		b.line(lang.PlainPoolFor, lang.With("pool", pool), lang.With("lanes", strings.Join(of, ", ")))
	}
}

// leastWait is the balance that tells waits from capacities.
const leastWait = "least-wait"

// weighted lists the targets of a lane with what each is worth: where waits are
// told from it so many requests a second, else the share that it gets.
func weighted(s *ledger.Setup, l *ledger.LaneSetup) string {
	var names []string
	var sum float64
	for _, w := range l.Weights {
		sum += w
	}
	for i, id := range l.Targets {
		name := targetName(s, id)
		switch {
		case i >= len(l.Weights):
		case l.Balance == leastWait:
			name += " " + lang.Number(l.Weights[i]) + "/s"
		default:
			name += " " + lang.Number(100*l.Weights[i]/sum) + " %"
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

func (b *beginning) limits() {
	limit := lang.With("limit", b.s.Limit)
	if b.s.Timeout > 0 {
		b.line(lang.PlainLimits, limit, lang.With("timeout", chosen(b.s.Timeout)))
	} else {
		b.line(lang.PlainNoTimeout, limit)
	}
	if b.s.Connections > 0 {
		b.line(lang.PlainEach, lang.With("limit", b.s.Connections))
	}
	if b.s.NoKeepAlive {
		b.line(lang.PlainNoKeepAlive)
	}
	switch d := b.s.Drain; {
	case d >= time.Millisecond:
		b.line(lang.PlainDrain, lang.With("drain", chosen(d)))
	case d > 0:
		b.line(lang.PlainNoDrain)
	}
}

// length says when sending ends; where the requests come to an end by
// themselves, the lanes have said so.
func (b *beginning) length() {
	length, requests := lang.With("length", chosen(b.s.Length)), lang.With("requests", b.s.Requests)
	switch {
	case b.s.Length > 0 && b.s.Requests > 0:
		b.line(lang.PlainEither, length, requests)
	case b.s.Length > 0:
		b.line(lang.PlainLength, length)
	case b.s.Requests > 0:
		b.line(lang.PlainRequests, requests)
	case slices.ContainsFunc(b.s.Lanes, func(l ledger.LaneSetup) bool { return endless(&l) }):
		b.line(lang.PlainEndless)
	}
}
