package panes

import (
	"strconv"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/keys"
)

// Keys draws the key line: as many of the most important keys as fit, help and
// quit always.
func Keys(b *cells.Buf, r cells.Rect, v *View, s *ledger.Snapshot) {
	line := keys.Line(stage(s))
	width := func(k keys.Binding) int {
		return cells.Width(k.Help().Key) + 1 + cells.Width(keyName(v, s, k)) + 3
	}
	last := line[len(line)-2:]
	room := r.W - 1 - width(last[0]) - width(last[1])
	x := r.X + 1
	for i, k := range line {
		if i < len(line)-2 {
			if room < width(k) {
				continue
			}
			room -= width(k)
		}
		x += b.Text(x, r.Y, r.Right()-x, k.Help().Key, v.Theme.KeyHint) + 1
		x += b.Text(x, r.Y, r.Right()-x, keyName(v, s, k), v.Theme.Label) + 3
	}
}

func stage(s *ledger.Snapshot) keys.Stage {
	switch {
	case s == nil:
	case s.Phase == ledger.Draining:
		return keys.Drains
	case s.Phase == ledger.Ended:
		return keys.Over
	}
	return keys.Sends
}

// keyName is what the key does now.
func keyName(v *View, s *ledger.Snapshot, k keys.Binding) string {
	if s != nil && k.Action == keys.Pause && Paused(v, s) {
		return v.say(lang.KeyResume)
	}
	return v.say(lang.ID("key-" + k.Name))
}

// Message draws one line to the person at the keys.
func Message(b *cells.Buf, r cells.Rect, v *View, l ledger.Level, text string) {
	shape, st := v.Theme.level(l)
	b.Set(r.X+1, r.Y, shape, st)
	b.Text(r.X+3, r.Y, r.W-4, cutWords(text, r.W-4), st)
}

// Ask draws an open question and the keys that answer it. Where both have no
// room the question loses words.
func Ask(b *cells.Buf, r cells.Rect, v *View, question, answers string) {
	x := r.X + 1
	if question != "" {
		room := r.Right() - x - 2 - min(3, r.W/16) - cells.Width(answers)
		b.Set(x, r.Y, '◆', v.Theme.Attention)
		x += 2
		x += b.Text(x, r.Y, room, cutWords(question, room), v.Theme.Attention.With(cells.Bold)) + min(3, r.W/16)
	}
	b.Text(x, r.Y, r.Right()-x, answers, v.Theme.KeyHint)
}

// Field draws a line to type into; at is the cursor, counted in characters.
// What is typed is seen whole before its label is.
func Field(b *cells.Buf, r cells.Rect, v *View, label, text string, at int, hint string) {
	t := v.Theme
	x := r.X + 1
	x += b.Text(x, r.Y, r.W, cells.Cut(label, r.W-3-cells.Width(text)), t.Accent) + 1
	for i, c := range text + " " {
		st := t.Value
		if i == at {
			st = st.With(cells.Reverse)
		}
		x += b.Text(x, r.Y, r.Right()-x, string(c), st)
	}
	b.Text(x+2, r.Y, r.Right()-x-2, cutWords(hint, r.Right()-x-2), t.Label)
}

// An Item is one line of a list to pick from.
type Item struct {
	Text, Note string
	Now        bool // what is in force
}

// Pick draws a list over the middle of r, the line at chosen under the cursor.
func Pick(b *cells.Buf, r cells.Rect, v *View, title string, items []Item, chosen int) {
	t := v.Theme
	w := cells.Width(title) + 6
	for i := range items {
		w = max(w, cells.Width(items[i].Text)+cells.Width(items[i].Note)+12)
	}
	w, h := min(w, r.W), min(len(items)+2, r.H)
	at := cells.Rect{X: r.X + (r.W-w)/2, Y: r.Y + (r.H-h)/3, W: w, H: h}
	b.Fill(at, ' ', cells.Style{})
	box(b, at, t.Accent)
	b.Text(at.X+2, at.Y, w-4, " "+title+" ", t.Title)
	first := max(0, chosen-(h-3))
	for i := first; i < len(items) && i-first < h-2; i++ {
		item := &items[i]
		y := at.Y + 1 + i - first
		st, note := t.Text, t.Label
		if i == chosen {
			st, note = t.Selected, t.Selected
			b.Fill(cells.Rect{X: at.X + 1, Y: y, W: w - 2, H: 1}, ' ', st)
		}
		if i < 9 {
			b.Text(at.X+2, y, 1, strconv.Itoa(i+1), note)
		}
		if item.Now {
			b.Set(at.X+4, y, '●', st)
		}
		n := b.Text(at.X+6, y, w-8, cells.Cut(item.Text, w-8), st)
		b.Text(at.X+8+n, y, w-10-n, cutWords(item.Note, w-10-n), note)
	}
}
