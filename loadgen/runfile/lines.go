package runfile

import (
	"fmt"
	"slices"
	"time"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/pace"
)

type secondLine struct {
	T        string           `json:"t"`
	K        int              `json:"k"`
	Span     int              `json:"span,omitempty"` // absent: 1
	L        lane             `json:"l,omitzero"`
	Due      int64            `json:"due"`
	Sent     int64            `json:"sent"`
	OK       int64            `json:"ok"`
	Failed   int64            `json:"failed"`
	Held     int64            `json:"held"`
	InFlight int64            `json:"in_flight"`
	OldLeft  int64            `json:"old_left"`
	ThisLeft int64            `json:"this_left"`
	Peak     int64            `json:"backlog_max"`
	Sending  stamp            `json:"sending,omitzero"`
	LagP99   stamp            `json:"lag_p99,omitzero"`
	LagMax   stamp            `json:"lag_max,omitzero"`
	Up       int64            `json:"bytes_up,omitempty"`
	Down     int64            `json:"bytes_down,omitempty"`
	Fail     map[string]int64 `json:"fail,omitempty"`
}

func secondOf(l int, s *ledger.Second) secondLine {
	return secondLine{
		T: "sec", K: s.K, Span: spanKey(s.Span), L: lane(l),
		Due: s.Due, Sent: s.Sent, OK: s.OK, Failed: s.Failed,
		Held: s.Held, InFlight: s.InFlight, OldLeft: s.OldLeft, ThisLeft: s.ThisLeft, Peak: s.Peak,
		Sending: stamp(s.Sending), LagP99: stamp(s.LagP99), LagMax: stamp(s.LagMax),
		Up: s.Up, Down: s.Down, Fail: failMap(&s.Fail),
	}
}

func (r *Reader) second(data []byte) (Record, error) {
	l := secondLine{L: ledger.All, LagP99: never, LagMax: never}
	if err := decode(data, &l); err != nil {
		return nil, err
	}
	if err := r.knownOrAll(l.L); err != nil {
		return nil, err
	}
	if least := min(l.Due, l.Sent, l.OK, l.Failed, l.Held, l.InFlight, l.OldLeft, l.ThisLeft, l.Peak); l.K < 1 || l.Span < 0 || least < 0 {
		return nil, fmt.Errorf("second %d of span %d with a count of %d", l.K, l.Span, least)
	}
	s := Second{int(l.L), ledger.Second{
		K: l.K, Span: max(1, l.Span), Due: l.Due, Sent: l.Sent, OK: l.OK, Failed: l.Failed,
		Held: l.Held, InFlight: l.InFlight, OldLeft: l.OldLeft, ThisLeft: l.ThisLeft,
		Peak:    max(l.Peak, l.Held+l.InFlight), // older files have none: it was this or more
		Sending: time.Duration(l.Sending), LagP99: time.Duration(l.LagP99), LagMax: time.Duration(l.LagMax),
		Up: l.Up, Down: l.Down,
	}}
	var err error
	s.Fail, err = failCounts(l.Fail)
	return s, err
}

// spanKey leaves out the span of a second that is one second long.
func spanKey(span int) int {
	if span == 1 {
		return 0
	}
	return span
}

// failMap names the classes that occurred.
func failMap(c *ledger.Counts) map[string]int64 {
	var m map[string]int64
	for class, n := range c {
		if n == 0 {
			continue
		}
		if m == nil {
			m = make(map[string]int64)
		}
		m[ledger.Class(class).String()] = n
	}
	return m
}

func failCounts(m map[string]int64) (c ledger.Counts, err error) {
	for name, n := range m {
		class, ok := ledger.ParseClass(name)
		if !ok {
			return c, fmt.Errorf("unknown failure class %q", name)
		}
		c[class] = n
	}
	return c, nil
}

type commandLine struct {
	T         string    `json:"t"`
	At        stamp     `json:"at,omitzero"`
	L         lane      `json:"l,omitzero"`
	Board     string    `json:"board,omitempty"`
	Do        ledger.Do `json:"do"`
	How       string    `json:"how,omitempty"` // "add", "mul"; absent: set
	To        *float64  `json:"to,omitempty"`
	Name      string    `json:"name,omitempty"`
	BodyBytes int64     `json:"body_bytes,omitempty"`
	Arrivals  string    `json:"arrivals,omitempty"`
	Mode      *int      `json:"mode,omitempty"`
	By        string    `json:"by,omitempty"`
	Booked    int       `json:"bk,omitempty"`
}

var hows = [...]string{ledger.Set: "", ledger.Add: "add", ledger.Mul: "mul"}

func commandOf(c *Command) commandLine {
	l := commandLine{T: "cmd", At: stamp(c.At), L: lane(c.Lane), Do: c.Do, By: c.By, Booked: c.Booked}
	switch c.Do {
	case ledger.DoRate, ledger.DoBurst:
		if to := c.To; to-to == 0 { // finite
			l.To = &to
		}
		if int(c.How) < len(hows) {
			l.How = hows[c.How]
		}
	case ledger.DoModel, ledger.DoTarget:
		l.Name, l.BodyBytes = c.Name, c.BodyBytes
	case ledger.DoMark:
		l.Name = c.Name
	case ledger.DoArrivals:
		l.Arrivals = c.Arrivals.String()
	case ledger.DoMode:
		mode := c.Mode
		l.L, l.Board, l.Mode, l.Name = ledger.All, c.Board, &mode, c.Name
	}
	return l
}

func (r *Reader) command(data []byte) (Record, error) {
	l := commandLine{At: never, L: ledger.All}
	if err := decode(data, &l); err != nil {
		return nil, err
	}
	if l.At == never || l.Do == "" {
		return nil, fmt.Errorf("a command without at or do")
	}
	if err := r.knownOrAll(l.L); err != nil {
		return nil, err
	}
	c := Command{At: time.Duration(l.At), BodyBytes: l.BodyBytes, Booked: l.Booked, Command: ledger.Command{
		Do: l.Do, Lane: int(l.L), Name: l.Name, Board: l.Board, By: l.By,
	}}
	if l.Mode != nil {
		c.Mode = *l.Mode
	}
	return c, l.setting(&c)
}

// setting reads the rate or the arrivals that the command sets.
func (l *commandLine) setting(c *Command) (err error) {
	switch l.Do {
	case ledger.DoRate, ledger.DoBurst:
		how := slices.Index(hows[:], l.How)
		if l.To == nil || how < 0 {
			return fmt.Errorf("a %s command without a number", l.Do)
		}
		c.To, c.How = *l.To, ledger.How(how)
	case ledger.DoArrivals:
		c.Arrivals, err = pace.Parse(l.Arrivals)
	}
	return err
}

type gapLine struct {
	T    string           `json:"t"`
	At   stamp            `json:"at,omitzero"`
	Lost map[string]int64 `json:"lost"`
}

func (r *Reader) gap(data []byte) (Record, error) {
	l := gapLine{At: never}
	err := decode(data, &l)
	return Gap{time.Duration(l.At), l.Lost}, err
}

type endLine struct {
	T   string `json:"t"`
	At  stamp  `json:"at,omitzero"`
	Why string `json:"why"`
}

func (r *Reader) end(data []byte) (Record, error) {
	l := endLine{At: never}
	if err := decode(data, &l); err != nil {
		return nil, err
	}
	if l.At == never {
		return nil, fmt.Errorf("an end without at")
	}
	return End{time.Duration(l.At), l.Why}, nil
}
