package report

import (
	"regexp"
	"slices"
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

// width is how many columns the widest row takes.
func (t *table) width() (n int) {
	for i, w := range t.widths() {
		if n += w; i > 0 {
			n += len(gap)
		}
	}
	return n
}

// drop leaves out a column.
func (t *table) drop(column int) {
	for i := range t.rows {
		t.rows[i] = slices.Delete(t.rows[i], column, column+1)
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
// inside a word where there is no other way. A unit stays with its number.
func wrap(text string, columns int) string {
	const glue = "\u00a0"
	text = ansi.Wrap(units.ReplaceAllString(text, "$1"+glue+"$2$3"), columns, "")
	return strings.ReplaceAll(text, glue, " ")
}

var units = regexp.MustCompile(`(\d) (s|ms|µs|%)([^\pL\d]|$)`)

// shorten cuts a text to so many columns.
func shorten(text string, columns int) string { return ansi.Truncate(text, columns, "…") }
