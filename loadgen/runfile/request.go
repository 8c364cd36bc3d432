package runfile

import (
	"fmt"
	"strconv"
	"time"

	"dev.example/pileup/loadgen/ledger"
)

// appendRequest appends the req line of a done request. It is written by hand
// because there is one for every request.
func appendRequest(b []byte, e *ledger.Event) []byte {
	b = append(b, `{"t":"req","l":`...)
	b = strconv.AppendInt(b, int64(e.Lane), 10)
	b = append(b, `,"i":`...)
	b = strconv.AppendInt(b, e.I, 10)
	b = append(b, `,"g":`...)
	b = strconv.AppendInt(b, int64(e.Target), 10)
	b = appendTime(b, `,"due":`, e.Due)
	b = appendTime(b, `,"start":`, e.Started)
	b = appendTime(b, `,"sent":`, e.Sent)
	b = appendTime(b, `,"first":`, e.First)
	b = appendTime(b, `,"done":`, e.Done)
	b = appendCount(b, `,"up":`, e.Up)
	b = appendCount(b, `,"down":`, e.Down)
	b = appendText(b, `,"peer":`, e.Peer)
	if !e.OK() {
		b = appendText(b, `,"fail":`, e.Failure.Class.String())
		b = appendCount(b, `,"code":`, int64(e.Failure.Code))
		b = appendText(b, `,"text":`, e.Failure.Text)
	}
	b = appendBooked(b, `,"bk":`, e.Booked[ledger.Done], e.Done)
	b = appendBooked(b, `,"bk_due":`, e.Booked[ledger.Due], e.Due)
	if e.Late() {
		b = appendBooked(b, `,"bk_start":`, e.Booked[ledger.Started], e.Started)
	}
	b = appendBooked(b, `,"bk_sent":`, e.Booked[ledger.Sent], e.Sent)
	return append(b, '}', '\n')
}

func appendTime(b []byte, key string, d time.Duration) []byte {
	if d == ledger.Never {
		return b
	}
	return appendStamp(append(b, key...), d)
}

func appendCount(b []byte, key string, n int64) []byte {
	if n == 0 {
		return b
	}
	return strconv.AppendInt(append(b, key...), n, 10)
}

func appendText(b []byte, key, s string) []byte {
	if s == "" {
		return b
	}
	return appendString(append(b, key...), s)
}

// appendBooked appends the second in which a step was booked, where that is
// later than the second of its stamp.
func appendBooked(b []byte, key string, second int, at time.Duration) []byte {
	return appendCount(b, key, int64(later(second, stamp(at))))
}

// later is the second in which a step was booked, 0 where that is not later
// than its own.
func later(second int, at stamp) int {
	if at == never || second <= ledger.SecondOf(time.Duration(at)) {
		return 0
	}
	return second
}

// requestLine is a req line being read. Only others leave out "start"; it is
// read as due then: a ledger knows no request that was never taken up. That
// the driver was late is thus not said of such a request, whose wait begins
// when it was due.
type requestLine struct {
	L     int    `json:"l"`
	I     int64  `json:"i"`
	G     int    `json:"g"`
	Due   stamp  `json:"due"`
	Start stamp  `json:"start"`
	Sent  stamp  `json:"sent"`
	First stamp  `json:"first"`
	Done  stamp  `json:"done"`
	Up    int64  `json:"up"`
	Down  int64  `json:"down"`
	Peer  string `json:"peer"`
	Fail  string `json:"fail"`
	Code  int    `json:"code"`
	Text  string `json:"text"`

	Booked      int `json:"bk"`
	BookedDue   int `json:"bk_due"`
	BookedStart int `json:"bk_start"`
	BookedSent  int `json:"bk_sent"`
}

func (r *Reader) request(data []byte) (Record, error) {
	l := requestLine{Due: never, Start: never, Sent: never, First: never, Done: never}
	if err := decode(data, &l); err != nil {
		return nil, err
	}
	if l.Due == never || l.Done == never {
		return nil, fmt.Errorf("a request without due or done")
	}
	if l.I < 0 {
		return nil, fmt.Errorf("request number %d", l.I)
	}
	if err := r.known(l.L, l.G); err != nil {
		return nil, err
	}
	if l.Start == never {
		l.Start = l.Due
	}
	if err := l.inOrder(); err != nil {
		return nil, err
	}
	e := ledger.Event{
		Kind: ledger.Done, Lane: l.L, Target: l.G, I: l.I,
		Due: time.Duration(l.Due), Started: time.Duration(l.Start), Sent: time.Duration(l.Sent),
		First: time.Duration(l.First), Done: time.Duration(l.Done),
		Up: l.Up, Down: l.Down, Peer: l.Peer,
		Booked: [...]int{
			ledger.Due: later(l.BookedDue, l.Due), ledger.Started: later(l.BookedStart, l.Start),
			ledger.Sent: later(l.BookedSent, l.Sent), ledger.Done: later(l.Booked, l.Done),
		},
	}
	if l.Fail != "" {
		class, ok := ledger.ParseClass(l.Fail)
		if !ok || class == ledger.OK {
			return nil, fmt.Errorf("unknown failure class %q", l.Fail)
		}
		e.Failure = ledger.Failure{Class: class, Code: l.Code, Text: l.Text}
	}
	return Request{e}, nil
}

// inOrder refuses a request whose steps are not in the order in which they can
// only have happened, or that moved fewer bytes than none.
func (l *requestLine) inOrder() error {
	last, at := "zero", stamp(0)
	for _, s := range []struct {
		name string
		at   stamp
	}{{"due", l.Due}, {"start", l.Start}, {"sent", l.Sent}, {"done", l.Done}} {
		switch {
		case s.at == never:
		case s.at < at:
			return fmt.Errorf("a request with %s before %s", s.name, last)
		default:
			last, at = s.name, s.at
		}
	}
	if l.First != never && l.First < l.Start {
		return fmt.Errorf("a request with first before start")
	}
	if l.Up < 0 || l.Down < 0 {
		return fmt.Errorf("a request of %d bytes up and %d down", l.Up, l.Down)
	}
	return nil
}
