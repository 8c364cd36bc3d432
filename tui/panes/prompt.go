package panes

import (
	"slices"
	"strconv"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/tui/cells"
	"dev.example/pileup/tui/keys"
)

// Keys draws the key line: as many of the most important keys as fit, help and
// quit always.
func Keys(b *cells.Buf, r cells.Rect, v *View, s *ledger.Snapshot) {
	line := slices.DeleteFunc(keys.Line(stage(s)), func(k keys.Binding) bool { return idle(v, s, k) })
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

// idle reports whether a key could only say that there is nothing to
// choose, or that a lane is to be chosen first.
func idle(v *View, s *ledger.Snapshot, k keys.Binding) bool {
	switch k.Action {
	case keys.RateType:
		if s == nil {
			return false
		}
		_, one := v.DialIn(s)
		return !one || v.unrated(s)
	case keys.None: // the rate keys together
		return s != nil && v.unrated(s)
	case keys.LaneNext:
		return s == nil || len(s.Lanes) < 2
	case keys.ModelNext:
		return s == nil || len(s.Lanes) > 1 && !v.oneOfMany(s) || len(ModelsFor(s, v.Lane)) < 2
	case keys.Mode:
		return s == nil || !slices.ContainsFunc(s.Setup.Boards, func(x ledger.Board) bool { return len(x.Modes) > 0 })
	case keys.TargetPick:
		return s == nil || len(TargetsFor(s, v.Lane)) < 2
	case keys.Arrivals:
		return s != nil && v.Fixed(s)
	}
	return false
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
	id := lang.ID("key-" + k.Name)
	switch {
	case s == nil:
	case k.Action == keys.Pause && Paused(v, s):
		id = lang.KeyResume
	case id == lang.KeyRate:
		if dial, one := v.DialIn(s); one && dial == Slots {
			id = lang.KeySlots
		}
	}
	return v.say(id)
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
// What is typed is seen whole before its label is; before anything is, what is
// offered stands in its place.
func Field(b *cells.Buf, r cells.Rect, v *View, label, text, offered string, at int, hint string) {
	t := v.Theme
	look := t.Value
	if text == "" && offered != "" {
		text, look = offered, t.Label
	} else {
		text += " " // for the cursor
	}
	x := r.X + 1
	x += b.Text(x, r.Y, r.W, cells.Cut(label, r.W-2-cells.Width(text)), t.Accent) + 1
	for i, c := range text {
		st := look
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
	Bad        string // what is wrong with it
	Now        bool   // what is in force
}

// Pick draws a list over the middle of r, the line at chosen under the cursor.
func Pick(b *cells.Buf, r cells.Rect, v *View, title string, items []Item, chosen int) {
	t := v.Theme
	text, rest := 0, 0 // the widest of each
	for i := range items {
		text = max(text, cells.Width(items[i].Text))
		rest = max(rest, cells.Width(items[i].Note)+min(1, len(items[i].Bad))*(cells.Width(items[i].Bad)+2))
	}
	w := min(max(cells.Width(title)+6, text+rest+12), r.W)
	h := min(len(items)+2, r.H)
	at := cells.Rect{X: r.X + (r.W-w)/2, Y: r.Y + (r.H-h)/3, W: w, H: h}
	b.Fill(at, ' ', cells.Style{})
	box(b, at, t.Accent)
	b.Text(at.X+2, at.Y, w-4, " "+title+" ", t.Title)
	in := at.Inset(1, 1)
	first := max(0, chosen-(in.H-1))
	for i := first; i < len(items) && i-first < in.H; i++ {
		items[i].draw(b, in.Row(i-first), t, i, min(text, in.W-6), i == chosen)
	}
}

// draw writes line i of a list, its note behind the w cells of its text.
func (m *Item) draw(b *cells.Buf, r cells.Rect, t *Theme, i, w int, chosen bool) {
	st, note, bad := t.Text, t.Label, t.Bad
	if chosen {
		st, note, bad = t.Selected, t.Selected, t.Selected
		b.Fill(r, ' ', st)
	}
	if i < 9 {
		b.Text(r.X+1, r.Y, 1, strconv.Itoa(i+1), note)
	}
	if m.Now {
		b.Set(r.X+3, r.Y, '●', st)
	}
	b.Text(r.X+5, r.Y, w, cells.CutMiddle(m.Text, w), st)
	x := r.X + 7 + w
	x += b.Text(x, r.Y, r.Right()-1-x, cutWords(m.Note, r.Right()-1-x), note) + 2
	b.Text(x, r.Y, r.Right()-1-x, cutWords(m.Bad, r.Right()-1-x), bad)
}
