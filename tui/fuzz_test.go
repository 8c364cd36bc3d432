package tui

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/probes"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/layout"
)

// odd draws snapshots that no run should publish and a screen must survive.
type odd struct{ *rand.Rand }

var oddNames = []string{
	"", "x", "mobilenet_v1", "모바일넷 모델 이름이 아주 길어서 들어가지 않는다", "a\nb\tc\x1b[31m", "🙂👩‍👩‍👧", "가", string(make([]byte, 300)),
	"model-with-a-name-that-is-far-too-long-for-any-screen-that-people-use-and-goes-on-and-on-and-on",
}

func (o odd) name() string { return oddNames[o.IntN(len(oddNames))] }

func (o odd) count() int64 {
	return []int64{0, 1, 7, 50, 999, 12345, 1e9, math.MaxInt64 / 4, -1}[o.IntN(9)]
}

func (o odd) span() time.Duration {
	return []time.Duration{0, ledger.Never, time.Microsecond, 37 * time.Millisecond, 5 * time.Second, time.Hour, math.MaxInt64 / 4, -time.Second}[o.IntN(8)]
}

func (o odd) number() float64 {
	return []float64{0, 1, 42.5, 1e-9, 1e18, -3, math.NaN(), math.Inf(1)}[o.IntN(8)]
}

// told are the stories, each told once: a snapshot is never written to.
var told = sync.OnceValue(func() map[string]*ledger.Snapshot {
	out := make(map[string]*ledger.Snapshot)
	for name, s := range stories {
		out[name] = s.snapshot(&testing.T{})
	}
	many := stories["lanes"]
	many.lanes = 12
	out["many"] = many.snapshot(&testing.T{})
	return out
})

func (o odd) snapshot() *ledger.Snapshot {
	names := slices.Sorted(maps.Keys(told()))
	s := *told()[names[o.IntN(len(names))]]
	snap := &s
	if o.IntN(3) == 0 {
		return snap
	}
	snap.Lanes, snap.Notes = slices.Clone(snap.Lanes), slices.Clone(snap.Notes)
	snap.Segments, snap.Commands = slices.Clone(snap.Segments), slices.Clone(snap.Commands)
	if snap.AtClose != nil {
		c := *snap.AtClose
		c.Total = o.lane(c.Total)
		snap.AtClose = &c
	}
	o.setup(snap)
	snap.Phase = ledger.Phase(o.IntN(5))
	snap.Lateness = ledger.Lateness{Limit: o.span(), Late: o.IntN(2) == 0}
	snap.Total = o.lane(snap.Total)
	for i := range snap.Lanes {
		snap.Lanes[i] = o.lane(snap.Lanes[i])
	}
	if o.IntN(3) == 0 {
		snap.SendingEnded, snap.At = o.span(), o.span()
	}
	for range o.IntN(30) {
		snap.Notes = append(snap.Notes, ledger.Note{At: o.span(), Level: ledger.Level(o.IntN(3)), ID: []string{"mark", "burst", o.name()}[o.IntN(3)], Args: []ledger.Arg{lang.With("why", o.name()), lang.With("name", o.name())}})
		snap.Segments = append(snap.Segments, ledger.Segment{From: o.span(), By: []string{"rate", "model", "mode", "pause", o.name()}[o.IntN(5)], Lane: o.IntN(20) - 1, Settings: []ledger.Setting{o.setting()}, Modes: []string{o.name()}})
		snap.Commands = append(snap.Commands, ledger.Ack{Command: ledger.Command{ID: uint64(o.IntN(50)), Do: ledger.DoRate, Lane: o.IntN(3) - 1, How: ledger.How(o.IntN(3)), To: o.number(), By: byKey}, State: ledger.State(o.IntN(3)), Why: o.name()})
	}
	snap.Record = ledger.Record{File: o.name(), Err: o.name()}
	snap.Series = o.series()
	return snap
}

func (o odd) setting() ledger.Setting {
	s := ledger.Setting{Model: o.name(), Rate: o.number(), Target: oddNames[o.IntN(2)]}
	switch o.IntN(4) {
	case 0:
		s.Slots = int(o.count())
	case 1:
		s.Scale = o.number()
	}
	return s
}

func (o odd) setup(s *ledger.Snapshot) {
	setup := *s.Setup
	setup.Targets = nil
	for i := range o.IntN(4) {
		setup.Targets = append(setup.Targets, ledger.Target{ID: i, Name: o.name(), URL: o.name(), Models: []string{o.name(), o.name()}})
	}
	setup.Driver.Host = o.name()
	setup.Boards = []ledger.Board{{Probe: o.name(), Modes: []probes.Mode{{ID: 1, Name: o.name(), Note: o.name()}}}}
	s.Setup = &setup
}

func (o odd) lane(l ledger.Lane) ledger.Lane {
	l.Setting, l.Info.Name, l.Loading, l.Oldest = o.setting(), o.name(), o.name(), o.span()
	l.Held, l.InFlight, l.Failed = o.count(), o.count(), o.count()
	l.Seconds = slices.Clone(l.Seconds)
	for i := range l.Seconds {
		if c := &l.Seconds[i]; o.IntN(4) == 0 {
			c.InFlight, c.Held, c.OK, c.LagP99 = o.count(), o.count(), o.count(), o.span()
			c.Span = o.IntN(61)
		}
	}
	l.Cohorts = slices.Clone(l.Cohorts)
	for i, c := range l.Cohorts {
		if v := *c; o.IntN(4) == 0 {
			v.Open, v.Youngest, v.Over, v.Censored, v.LastSent = o.count(), o.span(), o.span(), o.count(), o.span()
			l.Cohorts[i] = &v
		}
	}
	if o.IntN(5) == 0 {
		l.Response, l.Service, l.LagDist = nil, nil, nil
	}
	return l
}

func (o odd) series() (out []probes.Series) {
	for i := range o.IntN(5) {
		s := probes.Series{Name: []string{"driver", o.name()}[min(i, 1)], Simulated: o.IntN(2) == 0}
		for range o.IntN(40) {
			p := probes.Point{At: o.span(), Why: o.name()}
			if o.IntN(3) > 0 {
				p.Sample = o.sample()
			}
			s.Points = append(s.Points, p)
		}
		out = append(out, s)
	}
	return out
}

func (o odd) sample() *probes.Sample {
	v := func() probes.Value { return probes.Of(o.number()) }
	p := &probes.Sample{Load1: v(), Threads: v(), MemUsed: v(), MemTotal: v(), GPU: v(), GPUHz: v()}
	for i := range []int{0, 1, 8, 64, 200}[o.IntN(5)] {
		p.Cores = append(p.Cores, probes.Core{ID: i, Online: o.IntN(5) > 0, Busy: v(), Freq: v()})
	}
	if o.IntN(2) == 0 {
		p.Mode = &probes.Mode{Name: o.name()}
		p.Net = []probes.Net{{Name: o.name(), Rx: v(), Tx: v(), Link: v()}, {}}
		p.Rails = []probes.Rail{{Name: o.name(), Watts: o.number()}, {Name: o.name(), Watts: 3, Total: true}}
		p.Temps = []probes.Temp{{Name: o.name(), Celsius: o.number()}}
		p.Absent = []probes.Absent{{What: o.name(), Why: o.name()}}
		p.Own = probes.Process{Cores: v(), CoresMax: v(), CoreWait: v(), FDs: v(), FDMax: v(), Ports: v(), PortMax: v(), GC: v()}
	}
	return p
}

// hands are what keys of a fuzzed text do besides themselves.
var hands = map[rune]string{'<': "left", '^': "up", 'v': "down", 'U': "pgup", 'N': "pgdown", '!': "ctrl+c", 'E': "enter", 'X': "esc", 'T': "tab"}

func FuzzFrame(f *testing.F) {
	f.Add(uint64(1), uint16(79), uint16(23), "")
	f.Add(uint64(2), uint16(159), uint16(44), "22lyw?")
	f.Add(uint64(3), uint16(0), uint16(0), "q")
	f.Add(uint64(4), uint16(60), uint16(16), "o")
	f.Add(uint64(5), uint16(299), uint16(89), "4455")
	f.Add(uint64(6), uint16(59), uint16(15), "UUU^N~vfT+TmX")
	f.Add(uint64(7), uint16(43), uint16(11), "r7EqXpX?~!")
	f.Add(uint64(8), uint16(99), uint16(30), "gvEb7ExTgXbXg")
	f.Fuzz(func(t *testing.T, seed uint64, w, h uint16, keys string) {
		o := odd{rand.New(rand.NewPCG(seed, 1))}
		checkFrame(t, o, 1+int(w)%300, 1+int(h)%90, keys)
	})
}

func checkFrame(t *testing.T, o odd, w, h int, keys string) {
	t.Helper()
	var snap *ledger.Snapshot
	if o.IntN(20) > 0 {
		snap = o.snapshot()
	}
	m, _ := screen(snap, w, h, Options{Profile: cells.Profile(o.IntN(4))})
	checkSize(t, m.View(), w, h)
	if snap != nil {
		large, _ := screen(snap, 300, 200, Options{})
		checkFigures(t, large, m)
	}
	for _, k := range keys[:min(len(keys), 20)] {
		switch name, ok := hands[k]; {
		case k == '~':
			w, h = 1+o.IntN(300), 1+o.IntN(90)
			m.Update(tea.WindowSizeMsg{Width: w, Height: h})
		case ok:
			press(m, name)
		default:
			m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{k}})
		}
		m.Update(tickMsg{})
		checkSize(t, m.View(), w, h)
	}
}

// checkFigures holds every figure and every number of the ledger on a screen of
// any size to what it is on a large one: the same, or left out as a whole.
func checkFigures(t *testing.T, large, small *Model) {
	t.Helper()
	if small.plan.Plain {
		return
	}
	for name, part := range map[string]func(*Model) cells.Rect{
		"figure": func(m *Model) cells.Rect { return m.plan.Figures },
		"ledger": func(m *Model) cells.Rect {
			r := m.plan.Pane(layout.Ledger)
			return cells.Rect{X: r.X + 1, Y: r.Y + 2, W: r.W - 2, H: r.H - 3}
		},
	} {
		want := map[string]bool{cells.Cropped: true, "–": true, "all": true, "fail": true, "svc": true}
		for _, word := range wordsIn(large, part(large)) {
			want[word] = true
			want["@"+word], want[word+"s"] = true, true // short for "of second" and "over"
		}
		if want := wordsIn(large, part(large)); name == "figure" && slices.Contains(want, cells.Cropped) {
			return
		}
		for _, word := range wordsIn(small, part(small)) {
			if !want[word] && strings.Trim(word, "━╸─╌") != "" {
				t.Fatalf("%dx%d: %s %q is not on a large screen:\n%s\n%s", small.w, small.h, name, word, text(small), text(large))
			}
		}
	}
}

// wordsIn are the words within a rectangle.
func wordsIn(m *Model, r cells.Rect) (out []string) {
	for y := r.Y; y < r.Bottom(); y++ {
		var line strings.Builder
		for x := r.X; x < r.Right(); x++ {
			if c := m.buf.At(x, y).R; c != 0 && c != cells.Tail {
				line.WriteRune(c)
			} else {
				line.WriteByte(' ')
			}
		}
		out = append(out, strings.Fields(line.String())...)
	}
	return out
}

// TestNoFigureIsCut at any width: the stories and their totals.
func TestNoFigureIsCut(t *testing.T) {
	for name, snap := range told() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			large, _ := screen(snap, 300, 200, Options{})
			small, _ := screen(snap, 1, 1, Options{})
			for w := layout.MinW; w <= 180; w += 1 + w/40 {
				small.Update(tea.WindowSizeMsg{Width: w, Height: 16 + w%30})
				checkFigures(t, large, small)
			}
		})
	}
}

// TestEverySize draws two runs at sizes from 1x1 to 300x90.
func TestEverySize(t *testing.T) {
	run, none := stories["failing"].snapshot(t), stories["noboard"].snapshot(t)
	m, f := screen(run, 1, 1, Options{})
	keys := "2244z?\x00po"
	for h := 1; h <= 90; h += 1 + h/20 {
		for w := 1 + h%7; w <= 300; w += 7 + w/8 {
			f.snap = run
			if (w+h)%2 == 0 {
				f.snap = none
			}
			m.Update(tickMsg{})
			m.Update(tea.WindowSizeMsg{Width: w, Height: h})
			checkSize(t, m.View(), w, h)
		}
		press(m, "esc", string(keys[h%len(keys)]))
	}
}
