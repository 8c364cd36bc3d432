package cells

// A Cell is one place of the grid.
type Cell struct {
	R rune // 0 is a blank, Tail the right half of the character to the left
	Style
}

// Tail stands in the second cell of a wide character.
const Tail rune = -1

// A Buf is a grid of W×H cells. Everything drawn outside is cut off. The zero
// Buf has no cells. A Buf belongs to one goroutine.
type Buf struct {
	W, H  int
	cells []Cell
	enc   encoder
}

// NewBuf returns a blank grid; negative sizes are 0.
func NewBuf(w, h int) *Buf {
	b := &Buf{}
	b.Resize(w, h)
	return b
}

// Resize sets the size and clears every cell.
func (b *Buf) Resize(w, h int) {
	w, h = max(w, 0), max(h, 0)
	b.W, b.H = w, h
	if n := w * h; n <= cap(b.cells) {
		b.cells = b.cells[:n]
	} else {
		b.cells = make([]Cell, n)
	}
	clear(b.cells)
}

// Rect is the whole grid.
func (b *Buf) Rect() Rect { return Rect{0, 0, b.W, b.H} }

// At returns the cell at x, y; a blank outside the grid.
func (b *Buf) At(x, y int) Cell {
	if x < 0 || y < 0 || x >= b.W || y >= b.H {
		return Cell{}
	}
	return b.cells[y*b.W+x]
}

// Set writes one character. A wide one takes the next cell too and becomes a
// blank where that is outside; one that has no width becomes a blank.
func (b *Buf) Set(x, y int, r rune, s Style) {
	w := 1
	switch {
	case r == 0 || r >= 0x20 && r < 0x7f:
	default:
		w = widthOf(r)
	}
	if w == 0 {
		r, w = 0, 1
	}
	b.put(x, y, r, w, s)
}

// put writes a character of known width.
func (b *Buf) put(x, y int, r rune, w int, s Style) {
	if x < 0 || y < 0 || x >= b.W || y >= b.H {
		return
	}
	if w == 2 && x+1 >= b.W {
		r, w = 0, 1
	}
	row := b.cells[y*b.W : (y+1)*b.W]
	part(row, x)
	row[x] = Cell{r, s}
	if w == 2 {
		part(row, x+1)
		row[x] = Cell{r, s}
		row[x+1] = Cell{Tail, s}
	}
}

// part blanks the other half of a wide character that has a half at x.
func part(row []Cell, x int) {
	if row[x].R == Tail && x > 0 {
		row[x-1].R = 0
		row[x].R = 0
	}
	if x+1 < len(row) && row[x+1].R == Tail {
		row[x+1].R = 0
	}
}

// Text writes s from x on in at most limit cells and returns how many it used.
// A wide character that does not fit any more ends the text.
func (b *Buf) Text(x, y, limit int, s string, st Style) int {
	n := 0
	for i := 0; i < len(s); {
		r, size, w := next(s[i:])
		i += size
		if w == 0 {
			continue
		}
		if n+w > limit {
			break
		}
		b.put(x+n, y, r, w, st)
		n += w
	}
	return n
}

// Cropped stands for a number that has no room: a part of a number would be
// another number.
const Cropped = "…"

// Whole writes s from x on if it fits into w cells, else [Cropped], and returns
// how many cells it used. Numbers are written so, with their units.
func (b *Buf) Whole(x, y, w int, s string, st Style) int {
	if Width(s) > w {
		s = Cropped
	}
	return b.Text(x, y, w, s, st)
}

// Right writes s as [Buf.Whole] does, so that it ends with the last of w cells
// from x on.
func (b *Buf) Right(x, y, w int, s string, st Style) int {
	if Width(s) > w {
		s = Cropped
	}
	return b.Text(x+max(0, w-Width(s)), y, w, s, st)
}

// Center writes s in the middle of w cells from x on.
func (b *Buf) Center(x, y, w int, s string, st Style) int {
	return b.Text(x+max(0, (w-Width(s))/2), y, w, s, st)
}

// Fill writes one character into every cell of r.
func (b *Buf) Fill(r Rect, c rune, s Style) {
	r = r.Clip(b.Rect())
	for y := r.Y; y < r.Bottom(); y++ {
		for x := r.X; x < r.Right(); x++ {
			b.Set(x, y, c, s)
		}
	}
}
