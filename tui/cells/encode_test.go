package cells

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestView(t *testing.T) {
	red, blue := RGB(255, 0, 0), RGB(0, 0, 255)
	for _, tt := range []struct {
		name string
		p    Profile
		draw func(*Buf)
		want string
	}{
		{"blank", TrueColor, func(*Buf) {}, "      "},
		{"plain", TrueColor, func(b *Buf) { b.Text(0, 0, 6, "abc", Style{}) }, "abc   "},
		{
			"one style, blanks inherit", TrueColor,
			func(b *Buf) { b.Text(0, 0, 1, "a", Style{Fg: red}); b.Text(2, 0, 1, "b", Style{Fg: red}) },
			"\x1b[38;2;255;0;0ma b   \x1b[m",
		},
		{
			"a change of colour alone", TrueColor,
			func(b *Buf) {
				b.Text(0, 0, 3, "abc", Style{Fg: red, Attr: Bold})
				b.Text(3, 0, 3, "def", Style{Fg: blue, Attr: Bold})
			},
			"\x1b[1;38;2;255;0;0mabc\x1b[38;2;0;0;255mdef\x1b[m",
		},
		{
			"bold ends", TrueColor,
			func(b *Buf) {
				b.Text(0, 0, 3, "abc", Style{Fg: red, Attr: Bold})
				b.Text(3, 0, 3, "def", Style{Fg: red})
			},
			"\x1b[1;38;2;255;0;0mabc\x1b[22mdef\x1b[m",
		},
		{
			"reset is shorter", ANSI16,
			func(b *Buf) {
				b.Text(0, 0, 3, "abc", Style{Fg: red, Bg: blue, Attr: Bold | Underline})
				b.Text(3, 0, 3, "def", Style{Attr: Italic})
			},
			"\x1b[1;4;91;104mabc\x1b[0;3mdef\x1b[m",
		},
		{
			"bold to dim", None,
			func(b *Buf) {
				b.Text(0, 0, 3, "abc", Style{Attr: Bold})
				b.Text(3, 0, 3, "def", Style{Attr: Dim})
			},
			"\x1b[1mabc\x1b[0;2mdef\x1b[m",
		},
		{
			"back to the terminal's own", ANSI256,
			func(b *Buf) { b.Text(0, 0, 3, "abc", Style{Fg: red}); b.Text(3, 0, 3, "def", Style{}) },
			"\x1b[38;5;196mabc\x1b[mdef",
		},
		{
			"reverse is seen on blanks", None,
			func(b *Buf) { b.Fill(Rect{1, 0, 2, 1}, ' ', Style{Attr: Reverse}) },
			" \x1b[7m  \x1b[m   ",
		},
		{
			"no colours, attributes stay", None,
			func(b *Buf) { b.Text(0, 0, 6, "abcdef", Style{Fg: red, Bg: blue, Attr: Bold}) },
			"\x1b[1mabcdef\x1b[m",
		},
		{
			"background behind blanks", TrueColor,
			func(b *Buf) { b.Fill(Rect{0, 0, 2, 1}, 0, Style{Bg: blue}) },
			"\x1b[48;2;0;0;255m  \x1b[m    ",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := NewBuf(6, 1)
			tt.draw(b)
			if got := b.View(tt.p); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestLinesOfView(t *testing.T) {
	b := NewBuf(3, 2)
	b.Text(0, 0, 3, "ab", Style{Attr: Bold})
	b.Text(0, 1, 3, "한", Style{})
	got := lines(b, TrueColor)
	if len(got) != 2 || got[0] != "\x1b[1mab \x1b[m" || got[1] != "한 " {
		t.Errorf("got %q", got)
	}
	b.Resize(-1, 5)
	if got := lines(b, None); len(got) != 5 || got[4] != "" {
		t.Errorf("without columns: %q", got)
	}
	b.Resize(4, -2)
	if got := b.View(None); got != "" {
		t.Errorf("without rows: %q", got)
	}
	var zero Buf
	zero.Set(0, 0, 'x', Style{})
	if got := zero.View(None); got != "" {
		t.Errorf("the zero Buf: %q", got)
	}
}

// lines takes the view apart.
func lines(b *Buf, p Profile) []string {
	if b.H == 0 {
		return nil
	}
	return strings.Split(b.View(p), "\n")
}

// FuzzView draws whatever comes at whatever size and reads the lines back as a
// terminal would: the size is right, every cell has its character and what can
// be seen of its style, and every line ends as it began.
func FuzzView(f *testing.F) {
	f.Add(10, 3, uint64(1), "backlog 부하 ▲ 4.8/s")
	f.Add(1, 1, uint64(2), "가")
	f.Add(7, 2, uint64(3), "a\x1b[2Jb\u0301\u200d🇰🇷👩\u200d🔬\u1100\u1161\u11a8\u1100")
	f.Add(0, 0, uint64(4), "")
	f.Add(33, 4, uint64(5), "ก็ नि ﷺ \u0600a \U0001F3FB")
	f.Fuzz(func(t *testing.T, w, h int, seed uint64, s string) {
		w, h = min(w, 300), min(h, 60)
		b := NewBuf(w, h)
		scribble(b, rand.New(rand.NewPCG(seed, 1)), s)
		for _, p := range []Profile{None, ANSI16, ANSI256, TrueColor} {
			lines := lines(b, p)
			if len(lines) != b.H {
				t.Fatalf("%d lines, want %d", len(lines), b.H)
			}
			for y, line := range lines {
				if got := ansi.StringWidth(line); got != b.W {
					t.Fatalf("%v: line %d is %d cells wide, want %d: %q", p, y, got, b.W, line)
				}
				if p == TrueColor || p == None {
					readBack(t, b, y, line, p)
				}
			}
		}
	})
}

func scribble(b *Buf, rnd *rand.Rand, s string) {
	runes := []rune(s + "x")
	style := func() Style {
		c := [...]Color{Default, Default, RGB(255, 0, 0), RGB(0, 255, 0), RGB(30, 17, 71)}
		return Style{c[rnd.IntN(len(c))], c[rnd.IntN(len(c))], Attr(rnd.IntN(32) & rnd.IntN(32))}
	}
	at := func(n int) int { return rnd.IntN(max(n, 0)+4) - 2 }
	for range 40 {
		x, y := at(b.W), at(b.H)
		switch rnd.IntN(5) {
		case 0:
			b.Set(x, y, runes[rnd.IntN(len(runes))], style())
		case 1:
			b.Right(x, y, at(b.W), s, style())
		case 2:
			b.Fill(Rect{x, y, rnd.IntN(4), rnd.IntN(3)}, runes[rnd.IntN(len(runes))], style())
		default:
			b.Text(x, y, at(b.W), s, style())
		}
	}
}

// readBack interprets a line and compares it with the row it was made of.
func readBack(t *testing.T, b *Buf, y int, line string, p Profile) {
	t.Helper()
	var cur Style
	x := 0
	for i := 0; i < len(line); {
		if line[i] == '\x1b' {
			end := i + strings.IndexByte(line[i:], 'm')
			cur = apply(t, cur, line[i+2:end])
			i = end + 1
			continue
		}
		r, size, w := next(line[i:])
		i += size
		want := b.At(x, y)
		if p == None {
			want.Fg, want.Bg = 0, 0
		}
		got := Cell{r, cur}
		if r == ' ' { // what cannot be seen on a blank does not matter
			want.R = ' '
			if want.Attr&shows == 0 && cur.Attr&shows == 0 {
				got.Fg, got.Attr, want.Fg, want.Attr = 0, 0, 0, 0
			}
		}
		if got != want {
			t.Fatalf("%v: cell %d,%d is %+v, want %+v in %q", p, x, y, got, want, line)
		}
		x += w
	}
	if cur != (Style{}) {
		t.Fatalf("line %d ends in %+v: %q", y, cur, line)
	}
}

func apply(t *testing.T, s Style, params string) Style {
	t.Helper()
	if params == "" {
		return Style{}
	}
	f := strings.Split(params, ";")
	num := func(i int) int {
		n, err := strconv.Atoi(f[i])
		if err != nil {
			t.Fatalf("parameter %q in %q", f[i], params)
		}
		return n
	}
	for i := 0; i < len(f); i++ {
		switch n := num(i); n {
		case 0:
			s = Style{}
		case 1, 2, 3, 4:
			s.Attr |= 1 << (n - 1)
		case 7:
			s.Attr |= Reverse
		case 22:
			s.Attr &^= Bold | Dim
		case 23, 24:
			s.Attr &^= 1 << (n - 21)
		case 27:
			s.Attr &^= Reverse
		case 38, 48:
			c := RGB(uint8(num(i+2)), uint8(num(i+3)), uint8(num(i+4)))
			if n == 38 {
				s.Fg = c
			} else {
				s.Bg = c
			}
			i += 4
		case 39:
			s.Fg = 0
		case 49:
			s.Bg = 0
		default:
			t.Fatalf("unknown parameter %d in %q", n, params)
		}
	}
	return s
}

// BenchmarkView encodes a full screen: borders, an area in ten colours, lines
// of text and numbers.
func BenchmarkView(b *testing.B) {
	for _, size := range [][2]int{{80, 24}, {160, 45}, {240, 60}} {
		buf := NewBuf(size[0], size[1])
		paint(buf)
		for _, p := range []Profile{TrueColor, ANSI256} {
			b.Run(fmt.Sprintf("%dx%d/%v", size[0], size[1], p), func(b *testing.B) {
				b.ReportAllocs()
				n := 0
				for b.Loop() {
					n = len(buf.View(p))
				}
				b.ReportMetric(float64(n), "B/frame")
			})
		}
	}
}

func paint(b *Buf) {
	label, chrome := Style{Fg: Hex("#8b96a9")}, Style{Fg: Hex("#3a4357")}
	for y := range b.H {
		b.Set(0, y, '│', chrome)
		b.Set(b.W-1, y, '│', chrome)
		half := b.W * 6 / 10
		for x := 8; x < half; x++ {
			if (x-8)*b.H > (b.H-y)*half/2 {
				b.Set(x, y, '⣿', Style{Fg: Hex("#2f8f8c").Mix(Hex("#f2555a"), float64(10*y/b.H)/10)})
			} else if y%6 == 0 && x%2 == 0 {
				b.Set(x, y, '·', Style{Fg: Hex("#2b3345")})
			}
		}
		b.Set(half, y, '│', chrome)
		for x := half + 2; x+14 < b.W; x += 14 {
			b.Text(x, y, 5, "label", label)
			b.Right(x+6, y, 5, strconv.Itoa(x*y), Style{Attr: Bold})
			b.Text(x+12, y, 2, "ms", label)
		}
	}
}
