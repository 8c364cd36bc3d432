package loadgen

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"dev.example/pileup/loadgen/ledger"
)

// Balance is how the requests of a lane are dealt to the targets of its pool,
// each when it becomes due.
type Balance uint8

// The ways to deal.
const (
	// RoundRobin deals to each in turn.
	RoundRobin Balance = iota
	// Weighted deals in proportion to the weights, as evenly as can be: with
	// weights 3 and 1 the order is A A B A.
	Weighted
	// LeastBacklog deals to the target with the fewest open requests. For it
	// and for LeastWait a request that failed counts as open for a second
	// more: a target that is gone, or that refuses everything at once, never
	// has a backlog and would else be dealt all.
	LeastBacklog
	// LeastWait deals to the target on which the request would be done
	// first: (backlog + 1) ÷ capacity, each open request counted by the
	// capacity that its own lane has there, or by the dealing lane's where
	// that is not known. The weights are the capacities.
	LeastWait
)

var balances = [...]string{"round-robin", "weighted", "least-backlog", "least-wait"}

func (b Balance) String() string {
	if int(b) < len(balances) {
		return balances[b]
	}
	return fmt.Sprintf("balance-%d", uint8(b))
}

// Balances lists the names of the ways to deal.
func Balances() []string { return append([]string(nil), balances[:]...) }

// ParseBalance returns the way to deal of that name.
func ParseBalance(s string) (Balance, error) {
	for i, n := range balances {
		if n == s {
			return Balance(i), nil
		}
	}
	return 0, fmt.Errorf("unknown balance %q: want %s", s, strings.Join(balances[:], ", "))
}

// load is what is open at one target, of all lanes: requests, those of them
// whose lane knows its capacity there, and the time in ns that these take by it.
type load struct {
	open, known, work atomic.Int64

	mu       sync.Mutex
	doubtful []doubt // in order
}

// doubt is a failed request that counts as open until then.
type doubt struct {
	o     *Outlet
	until time.Time
}

func (l *load) add(o *Outlet, n int64) {
	l.open.Add(n)
	if o.Weight > 0 {
		l.known.Add(n)
		l.work.Add(n * o.work())
	}
}

// fail counts a failed request as open for as long as it is mistrusted.
func (l *load) fail(o *Outlet) {
	now := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.expire(now) // nobody may ever ask
	l.doubtful = append(l.doubtful, doubt{o, now.Add(mistrust)})
}

// forgive ends what is over by now.
func (l *load) forgive(now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.expire(now)
}

func (l *load) expire(now time.Time) {
	for len(l.doubtful) > 0 && !now.Before(l.doubtful[0].until) {
		l.add(l.doubtful[0].o, -1)
		l.doubtful = l.doubtful[1:]
	}
	if len(l.doubtful) == 0 {
		l.doubtful = nil
	}
}

// wait is how long one more request takes there, in ns, by the capacity that o
// has.
func (l *load) wait(o *Outlet) int64 {
	unknown := l.open.Load() - l.known.Load()
	return l.work.Load() + (max(0, unknown)+1)*o.work()
}

// dealer deals one lane's requests. Its pick is called by one goroutine at a
// time, undo by any.
type dealer struct {
	balance Balance
	loads   []load // by target, shared by all lanes
	outlets []Outlet
	credit  []float64 // of weighted turns
	turn    int
}

func (d *dealer) use(outlets []Outlet) {
	d.outlets, d.credit, d.turn = outlets, make([]float64, len(outlets)), 0
}

// pick chooses the outlet of the next request and counts it as open there.
func (d *dealer) pick() *Outlet {
	o := &d.outlets[d.choose()]
	d.loads[o.Target].add(o, 1)
	return o
}

// mistrust is how long a failed request counts as open where what is open
// decides.
const mistrust = time.Second

// undo says that a request that was dealt is done. One that was cut tells
// nothing of its target.
func (d *dealer) undo(o *Outlet, class ledger.Class) {
	if class != ledger.OK && class != ledger.CutOff && (d.balance == LeastBacklog || d.balance == LeastWait) {
		d.loads[o.Target].fail(o)
		return
	}
	d.loads[o.Target].add(o, -1)
}

func (d *dealer) choose() int {
	if len(d.outlets) == 1 {
		return 0
	}
	switch d.balance {
	case Weighted:
		return d.smooth()
	case LeastBacklog:
		return d.least(func(o *Outlet) int64 { return d.loads[o.Target].open.Load() })
	case LeastWait:
		return d.least(func(o *Outlet) int64 { return d.loads[o.Target].wait(o) })
	}
	return d.next()
}

func (d *dealer) next() int {
	i := d.turn
	d.turn = (d.turn + 1) % len(d.outlets)
	return i
}

// smooth is weighted round robin without bursts: every outlet earns its weight,
// the richest is dealt to and pays for all.
func (d *dealer) smooth() (best int) {
	sum := 0.0
	for i := range d.outlets {
		w := d.outlets[i].weight()
		sum += w
		d.credit[i] += w
		if d.credit[i] > d.credit[best] {
			best = i
		}
	}
	d.credit[best] -= sum
	return best
}

// least is the outlet with the smallest cost; those that are equal take turns.
func (d *dealer) least(cost func(*Outlet) int64) int {
	now := time.Now()
	for i := range d.outlets {
		d.loads[d.outlets[i].Target].forgive(now)
	}
	best, lowest := 0, int64(math.MaxInt64)
	first := d.next()
	for k := range d.outlets {
		i := (first + k) % len(d.outlets)
		if c := cost(&d.outlets[i]); c < lowest {
			best, lowest = i, c
		}
	}
	return best
}

func (o *Outlet) weight() float64 {
	if o.Weight > 0 {
		return o.Weight
	}
	return 1
}

// work is how long one request takes by the outlet's weight, in ns.
func (o *Outlet) work() int64 { return int64(1e9 / o.weight()) }
