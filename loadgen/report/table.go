package report

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// table lays out right-aligned columns of text, the first one left-aligned if
// it says so.
type table struct {
	left bool // the first column holds names
	rows [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// gap parts two columns.
const gap = "  "

func (t *table) write(b *strings.Builder) {
	widths := t.widths()
	for _, row := range t.rows {
		var line strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-width(cell))
			if i > 0 {
				line.WriteString(gap)
			}
			if i == 0 && t.left {
				cell, pad = pad, cell
			}
			line.WriteString(pad + cell)
		}
		b.WriteString(strings.TrimRight(line.String(), " "))
		b.WriteByte('\n')
	}
}

func (t *table) widths() (w []int) {
	for _, row := range t.rows {
		for i, cell := range row {
			if i == len(w) {
				w = append(w, 0)
			}
			w[i] = max(w[i], width(cell))
		}
	}
	return w
}

// width is how many cells of a terminal s takes: Hangul and Han take two.
func width(s string) int { return ansi.StringWidth(s) }

// wrap breaks a text between words into lines of at most so many columns, and
// inside a word where there is no other way.
func wrap(text string, columns int) string { return ansi.Wrap(text, columns, "") }

// shorten cuts a text to so many columns.
func shorten(text string, columns int) string { return ansi.Truncate(text, columns, "…") }
