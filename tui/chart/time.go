package chart

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// Windows are the lengths of the time axis to choose from.
var Windows = []time.Duration{30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute, 15 * time.Minute}

// A TimeAxis puts the run's clock on columns. Panes that are given the same
// value show the same second in the same column.
type TimeAxis struct {
	From, To time.Duration
	Cols     int
}

// Follow returns the axis that shows the last window of a run at the instant
// now. It begins at 0 and fills from the left; once full it moves on in steps
// of about a sixth of the window, so that between two steps nothing moves but
// the newest columns, and labels keep their columns.
func Follow(now, window time.Duration, cols int) TimeAxis {
	window = min(max(window, time.Second), longest)
	step := stride(window)
	from := time.Duration(0)
	if over := min(now, longest) - window; over > 0 {
		from = (over + step - 1) / step * step
	}
	return TimeAxis{from, from + window, max(cols, 0)}
}

// strides are a little more than a sixth of each of the windows.
var strides = []time.Duration{
	time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 20 * time.Second,
	time.Minute, 3 * time.Minute, 10 * time.Minute, time.Hour,
}

// longest keeps sums of instants from overflowing.
const longest = 100 * 365 * 24 * time.Hour

func stride(window time.Duration) time.Duration {
	for _, s := range strides {
		if s*6 >= window {
			return s
		}
	}
	return window
}

var labelSteps = []time.Duration{
	time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 20 * time.Second, 30 * time.Second,
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 20 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 6 * time.Hour, 24 * time.Hour,
}

// Valid reports whether the axis has columns and a length, within a hundred
// years.
func (t TimeAxis) Valid() bool {
	return t.Cols > 0 && t.From >= -longest && t.To <= longest && t.From < t.To
}

// dots is the position of an instant in half columns, not clipped.
func (t TimeAxis) dots(at time.Duration) float64 {
	if !t.Valid() {
		return math.NaN()
	}
	return (float64(at) - float64(t.From)) / float64(t.To-t.From) * 2 * float64(t.Cols)
}

// Col is the column that shows an instant, and whether it is on the axis. The
// instant To belongs to the last column.
func (t TimeAxis) Col(at time.Duration) (col int, ok bool) {
	if !t.Valid() || at < t.From || at > t.To {
		return 0, false
	}
	return min(int(t.dots(at)/2), t.Cols-1), true
}

// A TimeTick is a label under a column.
type TimeTick struct {
	Col   int // the column of the instant
	X     int // where the label begins
	Label string
}

// Ticks returns the labels of the axis: whole multiples of a round step, as
// many as there is room for.
func (t TimeAxis) Ticks() []TimeTick {
	if !t.Valid() {
		return nil
	}
	step := t.labelStep()
	var ticks []TimeTick
	end := -2
	first := t.From / step * step
	for i := range t.Cols + 2 {
		at := first + time.Duration(i)*step
		col, ok := t.Col(at)
		label := instant(at)
		x := min(max(0, col-len(label)/2), t.Cols-len(label))
		if !ok || x < 0 || x < end+2 {
			continue
		}
		ticks = append(ticks, TimeTick{col, x, label})
		end = x + len(label)
	}
	return ticks
}

// instant is [Span] with the seconds that it leaves out from an hour on: no two
// labels of an axis are the same.
func instant(at time.Duration) string {
	if at < time.Hour || at%time.Minute == 0 {
		return Span(at)
	}
	return Span(at.Truncate(time.Hour)) + fmt.Sprintf("%02dm%02ds", int(at/time.Minute)%60, int(at/time.Second)%60)
}

func (t TimeAxis) labelStep() time.Duration {
	need := t.To - t.From
	if room := t.Cols / 11; room > 0 {
		need /= time.Duration(room)
	}
	for _, s := range labelSteps {
		if s >= need {
			return s
		}
	}
	return max(need, 24*time.Hour)
}

// Span is a whole number of seconds as the labels write it.
func Span(d time.Duration) string {
	s := int(d / time.Second)
	switch {
	case s < 0:
		return "-" + Span(-d)
	case s < 60:
		return strconv.Itoa(s) + "s"
	case s < 3600:
		return two(s/60, "m", s%60, "s")
	}
	return two(s/3600, "h", s/60%60, "m")
}

// two writes big and, unless it is 0, small.
func two(big int, b string, small int, s string) string {
	switch {
	case small == 0:
		return strconv.Itoa(big) + b
	case small < 10:
		return strconv.Itoa(big) + b + "0" + strconv.Itoa(small) + s
	}
	return strconv.Itoa(big) + b + strconv.Itoa(small) + s
}
