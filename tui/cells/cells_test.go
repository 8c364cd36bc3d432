package cells

import (
	"math"
	"testing"

	"github.com/charmbracelet/lipgloss"
)

func TestText(t *testing.T) {
	for _, tt := range []struct {
		name  string
		limit int
		in    string
		want  string
		used  int
	}{
		{"plain", 10, "backlog", "backlog", 7},
		{"clipped", 4, "backlog", "back", 4},
		{"hangul is two cells", 10, "부하 시험", "부하 시험", 9},
		{"hangul that does not fit", 3, "부하", "부", 2},
		{"decomposed hangul", 10, "\u1112\u1161\u11ab\u1100\u1173\u11af", "한글", 4},
		{"decomposed hangul without a final", 10, "\u1107\u116e\u1112\u1161", "부하", 4},
		{"a combining mark", 10, "e\u0301tude", "etude", 5},
		{"a control character", 10, "a\x1b[31mb\x07", "a[31mb", 6},
		{"white space", 10, "a\tb\nc", "a b c", 5},
		{"a flag", 10, "🇰🇷ok", "ok", 2},
		{"joined emoji", 10, "👩\u200d🔬.", "👩🔬.", 5},
		{"direction marks", 10, "a\u202eb\u2066c", "abc", 3},
		{"not utf-8", 10, "a\xffb", "a\uFFFDb", 3},
		{"no room", 0, "a", "", 0},
		{"negative room", -3, "a", "", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := NewBuf(12, 1)
			if used := b.Text(0, 0, tt.limit, tt.in, Style{}); used != tt.used {
				t.Errorf("used %d cells, want %d", used, tt.used)
			}
			if got := b.String(); got != tt.want+"\n" {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if got := Width(tt.in); tt.limit == 10 && got != tt.used {
				t.Errorf("Width is %d, want %d", got, tt.used)
			}
		})
	}
}

func TestRightAndCenter(t *testing.T) {
	b := NewBuf(10, 3)
	b.Right(1, 0, 8, "한 7", Style{})
	b.Right(1, 1, 4, "too long", Style{})
	b.Center(0, 2, 10, "부하", Style{})
	if got, want := b.String(), "     한 7\n    …\n   부하\n"; got != want {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
}

func TestHalvesNeverStandAlone(t *testing.T) {
	for _, tt := range []struct {
		name string
		draw func(*Buf)
		want string
	}{
		{"over the left half", func(b *Buf) { b.Set(1, 0, 'x', Style{}) }, " x 나\n"},
		{"over the right half", func(b *Buf) { b.Set(2, 0, 'x', Style{}) }, "  x나\n"},
		{"wide over two halves", func(b *Buf) { b.Set(2, 0, '다', Style{}) }, "  다\n"},
		{"wide at the edge", func(b *Buf) { b.Set(5, 0, '다', Style{}) }, " 가나\n"},
		{"fill", func(b *Buf) { b.Fill(Rect{2, 0, 2, 1}, '.', Style{}) }, "  ..\n"},
		{"outside", func(b *Buf) { b.Set(-1, 0, 'x', Style{}); b.Set(0, 7, 'x', Style{}) }, " 가나\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := NewBuf(6, 1)
			b.Text(1, 0, 5, "가나", Style{})
			tt.draw(b)
			if got := b.String(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// A number that has no room is not cut to another number.
func TestWhole(t *testing.T) {
	b := NewBuf(6, 3)
	b.Whole(0, 0, 4, "26.8", Style{})
	b.Whole(0, 1, 3, "26.8", Style{})
	b.Whole(0, 2, 0, "26.8", Style{})
	if got, want := b.String(), "26.8\n…\n\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCut(t *testing.T) {
	for _, tt := range []struct {
		in   string
		w    int
		want string
	}{
		{"backlog", 7, "backlog"},
		{"backlog", 6, "backl…"},
		{"부하시험", 6, "부하…"},
		{"부하시험", 5, "부하…"},
		{"부하시험", 8, "부하시험"},
		{"backlog", 1, "…"},
		{"backlog", 0, ""},
		{"", -1, ""},
	} {
		if got := Cut(tt.in, tt.w); got != tt.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", tt.in, tt.w, got, tt.want)
		}
	}
}

func TestCutMiddle(t *testing.T) {
	for _, tt := range []struct {
		in   string
		w    int
		want string
	}{
		{"mobilenet_v2", 12, "mobilenet_v2"},
		{"mobilenet_v2", 9, "mobil…_v2"},
		{"mobilenet_v2", 6, "mob…v2"},
		{"mobilenet_v2", 3, "mo…"},
		{"mobilenet_v2", 1, "…"},
		{"mobilenet_v2", 0, ""},
		{"mobilenet_v2", -1, ""},
		{"부하시험도구", 11, "부하시…도구"},
		{"부하시험도구", 8, "부하…구"},
	} {
		if got := CutMiddle(tt.in, tt.w); got != tt.want {
			t.Errorf("CutMiddle(%q, %d) = %q, want %q", tt.in, tt.w, got, tt.want)
		}
	}
}

func TestRect(t *testing.T) {
	r := Rect{2, 3, 10, 4}
	if got, want := r.Inset(1, 1), (Rect{3, 4, 8, 2}); got != want {
		t.Errorf("Inset: got %v, want %v", got, want)
	}
	if got := r.Inset(6, 3); got.W != 0 || got.H != 0 {
		t.Errorf("Inset beyond the middle: got %v", got)
	}
	if got, want := r.Clip(Rect{0, 0, 5, 5}), (Rect{2, 3, 3, 2}); got != want {
		t.Errorf("Clip: got %v, want %v", got, want)
	}
	if got := r.Clip(Rect{50, 50, 5, 5}); !got.Empty() {
		t.Errorf("Clip apart: got %v", got)
	}
	if got := r.Row(4); !got.Empty() {
		t.Errorf("Row below: got %v", got)
	}
}

func TestResolve(t *testing.T) {
	got := Resolve(lipgloss.NewStyle().Foreground(lipgloss.Color("#5eead4")).Bold(true).Reverse(true))
	if want := (Style{Fg: RGB(0x5e, 0xea, 0xd4), Attr: Bold | Reverse}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := Resolve(lipgloss.NewStyle()); got != (Style{}) {
		t.Errorf("the empty style is %+v", got)
	}
}

func TestMix(t *testing.T) {
	a, b := RGB(0, 100, 200), RGB(100, 0, 200)
	for _, tt := range []struct {
		t    float64
		want Color
	}{{0, a}, {1, b}, {0.5, RGB(50, 50, 200)}, {-1, a}, {2, b}, {math.NaN(), a}} {
		if got := a.Mix(b, tt.t); got != tt.want {
			t.Errorf("Mix(%v) = %v, want %v", tt.t, got, tt.want)
		}
	}
	if got := a.Mix(Default, 0.7); got != Default {
		t.Errorf("towards the default: %v", got)
	}
}

func TestFewerColours(t *testing.T) {
	for _, tt := range []struct {
		c         string
		p256, p16 uint8
	}{
		{"#ffffff", 231, 15},
		{"#000000", 16, 8}, // black would vanish on a black background
		{"#3a4357", 238, 8},
		{"#8b96a9", 246, 8},
		{"#f2555a", 203, 9},
		{"#fbbf24", 214, 11},
		{"#86efac", 121, 10},
		{"#5eead4", 80, 14},
		{"#60a5fa", 75, 12},
		{"#b794f6", 141, 13},
		{"#c01c2b", 124, 9},
		{"#177038", 23, 2},
		{"#1f1147", 17, 8}, // in 256 the darkest step of a ramp keeps its hue
	} {
		c := Hex(tt.c)
		if got := c.near256(); got != tt.p256 {
			t.Errorf("%s in 256 colours is %d, want %d", tt.c, got, tt.p256)
		}
		if got := c.near16(); got != tt.p16 {
			t.Errorf("%s in 16 colours is %d, want %d", tt.c, got, tt.p16)
		}
	}
	for _, s := range []string{"", "red", "#12345", "#12345g"} {
		if got := Hex(s); got != Default {
			t.Errorf("Hex(%q) = %v, want the default", s, got)
		}
	}
}

// TestFastWidths holds the ranges that are decided without asking to the answer.
func TestFastWidths(t *testing.T) {
	for r := rune(0xa0); r < 0x10000; r++ {
		if r == 0xad || r >= 0xd800 && r < 0xe000 {
			continue
		}
		if got, want := widthOf(r), rareWidth(r); got != want && r != 0xa0 {
			t.Errorf("%U %c is %d cells, measured %d", r, r, got, want)
		}
	}
}
