package tui

import (
	"fmt"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/tui/cells"
)

// BenchmarkFrame is the whole screen drawn anew at 500 requests a second.
func BenchmarkFrame(b *testing.B) {
	snap := stories["fast"].snapshot(b)
	for _, size := range [][2]int{{80, 24}, {120, 40}, {160, 45}, {240, 60}} {
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			m, _ := screen(snap, size[0], size[1], Options{Profile: cells.TrueColor})
			b.ReportAllocs()
			for b.Loop() {
				m.redraw()
			}
			b.ReportMetric(float64(len(m.View())), "B/frame")
		})
	}
}

// BenchmarkHead is what is drawn four times a second.
func BenchmarkHead(b *testing.B) {
	m, _ := screen(stories["fast"].snapshot(b), 160, 45, Options{Profile: cells.TrueColor})
	b.ReportAllocs()
	for b.Loop() {
		m.head()
		m.out = m.buf.View(m.profile)
	}
}

// counter is a terminal that tells how many bytes each write had.
type counter struct{ wrote chan int }

func (c counter) Write(p []byte) (int, error) {
	c.wrote <- len(p)
	return len(p), nil
}

// BenchmarkUpdate counts the bytes that bubbletea writes when a second closes.
func BenchmarkUpdate(b *testing.B) {
	for _, c := range []struct {
		name string
		at   time.Duration // the axis is full at 120 s and moves on
	}{{"second", 62 * time.Second}, {"axis-moves", 120 * time.Second}} {
		var snaps []*ledger.Snapshot
		for i := range 2 {
			s := stories["fast"]
			s.at = c.at + time.Duration(i)*time.Second + 200*time.Millisecond
			snaps = append(snaps, s.snapshot(b))
		}
		for _, size := range [][2]int{{80, 24}, {160, 45}} {
			b.Run(fmt.Sprintf("%s/%dx%d", c.name, size[0], size[1]), func(b *testing.B) { bytesOf(b, snaps, size[0], size[1]) })
		}
	}
}

func bytesOf(b *testing.B, snaps []*ledger.Snapshot, w, h int) {
	f := &fake{snap: snaps[0]}
	m := New(Options{Source: f, Profile: cells.TrueColor, Tick: time.Hour})
	out := counter{make(chan int)}
	p := tea.NewProgram(m, tea.WithInput(nil), tea.WithOutput(out), tea.WithoutSignalHandler(), tea.WithFPS(120))
	ended := make(chan error)
	go func() {
		_, err := p.Run()
		ended <- err
	}()
	drain := func() (n int) {
		for {
			select {
			case k := <-out.wrote:
				n += k
			case <-time.After(50 * time.Millisecond):
				return n
			}
		}
	}
	drain()
	sent := make(chan struct{})
	send := func(msg tea.Msg) {
		go func() { p.Send(msg); sent <- struct{}{} }()
	}
	total, n := 0, 0
	send(tea.WindowSizeMsg{Width: w, Height: h})
	drain()
	<-sent
	for i := 1; b.Loop(); i++ {
		f.snap = snaps[i%2]
		send(tickMsg{})
		total += drain()
		<-sent
		n++
	}
	b.ReportMetric(float64(total)/float64(n), "B/update")
	p.Quit()
	for {
		select {
		case <-out.wrote:
		case err := <-ended:
			if err != nil {
				b.Fatal(err)
			}
			return
		}
	}
}
