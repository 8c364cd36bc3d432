package runfile

import (
	"fmt"
	"time"

	"dev.example/pileup/loadgen/ledger"
)

type cohortLine struct {
	T            string `json:"t"`
	At           stamp  `json:"at,omitzero"`
	K            int    `json:"k"`
	Span         int    `json:"span,omitempty"`  // absent: 1
	Older        bool   `json:"older,omitempty"` // those up to k that were open for so long that they had no line of their own
	L            lane   `json:"l,omitzero"`
	N            int64  `json:"n"`
	OK           int64  `json:"ok"`
	Failed       int64  `json:"failed"`
	Censored     int64  `json:"censored,omitempty"`
	Over         stamp  `json:"over,omitzero"`
	LastSent     stamp  `json:"sent_all_at,omitzero"`
	OpenAtChange int64  `json:"open_at_change,omitempty"`
	distPart
	Service *distPart `json:"service,omitempty"`
}

// distPart is a distribution of spans of time; "hist" is [lower bound in µs,
// count].
type distPart struct {
	Mean stamp      `json:"mean,omitzero"`
	Min  stamp      `json:"min,omitzero"`
	Max  stamp      `json:"max,omitzero"`
	Hist [][2]int64 `json:"hist,omitempty"`
}

func distOf(d *ledger.Dist) distPart {
	if d.N() == 0 {
		return distPart{Mean: never, Min: never, Max: never}
	}
	p := distPart{Mean: stamp(d.Mean()), Min: stamp(d.Min()), Max: stamp(d.Max())}
	for _, b := range d.Buckets() {
		p.Hist = append(p.Hist, [2]int64{b.Low, b.Count})
	}
	return p
}

func (p *distPart) dist() Dist {
	d := Dist{Mean: time.Duration(p.Mean), Min: time.Duration(p.Min), Max: time.Duration(p.Max)}
	for _, b := range p.Hist {
		d.Hist = append(d.Hist, ledger.Bucket{Low: b[0], Count: b[1]})
	}
	return d
}

func cohortOf(l int, c *ledger.Cohort) cohortLine {
	line := cohortLine{
		T: "coh", At: stamp(c.SettledAt), K: c.K, Span: spanKey(c.Span), Older: c.Older, L: lane(l),
		N: c.Due, OK: c.OK, Failed: c.Failed, Censored: c.Censored, Over: stamp(c.Over),
		LastSent: stamp(c.AllSent()), OpenAtChange: c.OpenAtChange, distPart: distOf(c.Response),
	}
	if c.Censored == 0 {
		line.Over = never
	}
	if c.Service.N() > 0 {
		service := distOf(c.Service)
		line.Service = &service
	}
	return line
}

func (r *Reader) cohort(data []byte) (Record, error) {
	none := distPart{Mean: never, Min: never, Max: never}
	service := none
	l := cohortLine{At: never, L: ledger.All, Over: never, LastSent: never, distPart: none, Service: &service}
	if err := decode(data, &l); err != nil {
		return nil, err
	}
	if err := r.knownOrAll(l.L); err != nil {
		return nil, err
	}
	if l.At == never {
		return nil, fmt.Errorf("a cohort without at")
	}
	c := Cohort{
		Lane: int(l.L), At: time.Duration(l.At), K: l.K, Span: max(1, l.Span), Older: l.Older,
		Due: l.N, OK: l.OK, Failed: l.Failed, Censored: l.Censored, Over: time.Duration(l.Over),
		LastSent: time.Duration(l.LastSent), OpenAtChange: l.OpenAtChange,
		Response: l.dist(), Service: none.dist(),
	}
	if l.Service != nil { // it was null
		c.Service = l.Service.dist()
	}
	return c, nil
}
