package panes

import (
	"strconv"

	"dev.example/pileup/probes"
)

// levels picks a manner for each machine: all have the best one that fits, then
// one after the other gets a better one if it still fits. The boards get their
// history even if the driver has to make do with numbers for it.
func levels(all []manner, list []*probes.Series, rows int) []int {
	level := make([]int, len(list))
	if numbers := len(all) - 2; all[0].history && len(list) > 1 && rowsOf(all, level, list) > rows {
		level[len(level)-1] = numbers
		if rowsOf(all, level, list) <= rows {
			better(all, list, rows, level, len(level)-1)
			return level
		}
	}
	clear(level)
	for rowsOf(all, level, list) > rows && level[0] < len(all)-1 {
		for i := range level {
			level[i]++
		}
	}
	for i := range level {
		better(all, list, rows, level, i)
	}
	return level
}

// better gives machine i the best manner that fits.
func better(all []manner, list []*probes.Series, rows int, level []int, i int) {
	now := level[i]
	for level[i] = 0; level[i] < now && rowsOf(all, level, list) > rows; {
		level[i]++
	}
}

// rowsOf is how many rows all machines take.
func rowsOf(all []manner, level []int, list []*probes.Series) (rows int) {
	for i, m := range list {
		rows += 1 + all[level[i]].rows(coresOf(m))
	}
	return rows
}

// idWidth is how many cells the number of a core takes.
func idWidth(list []*probes.Series) int {
	w := 2
	for _, m := range list {
		if p, ok := m.Last(); ok {
			for i := range p.Sample.Cores {
				w = max(w, len(strconv.Itoa(p.Sample.Cores[i].ID)))
			}
		}
	}
	return w
}

// coresOf is how many cores the machine's last sample has.
func coresOf(m *probes.Series) int {
	if p, ok := m.Last(); ok {
		return len(p.Sample.Cores)
	}
	return 1
}

// A manner is one way to draw the cores of a machine: so many columns, each so
// wide.
type manner struct {
	cols, w int
	id      int  // cells for the number of a core
	across  bool // row by row instead of column by column
	history bool
	draw    func(c *coreSpot)
}

// manners lists what fits into w columns, what says most first. id is how many
// cells the number of a core takes, 2 if there are few.
func manners(w, id int) (out []manner) {
	wider := id - 2
	if w >= 40+wider {
		out = append(out, manner{cols: 1, w: w, id: id, history: true, draw: coreHistory})
	}
	for _, k := range []struct {
		least, most int
		draw        func(*coreSpot)
	}{{27, 60, coreWide}, {13, 30, coreShort}, {7, 7, coreNumber}} {
		for cols := 1; cols == 1 || cols*(k.least+wider) <= w+1; cols++ {
			out = append(out, manner{cols: cols, w: min(k.most+wider, (w+1)/cols), id: id, draw: k.draw})
		}
	}
	return append(out, manner{cols: max(1, w), w: 1, across: true, draw: coreBlock})
}

func (k manner) rows(cores int) int { return (cores + k.cols - 1) / k.cols }
