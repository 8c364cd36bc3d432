package host

import "time"

// A counter is a number that only grows, and when it was read. The zero
// counter was not.
type counter struct {
	at time.Time
	n  float64
}

// rate is how much the number grew in a second since last, or why nobody
// knows.
func (c counter) rate(last counter) (perSecond float64, why string) {
	switch dt := c.at.Sub(last.at).Seconds(); {
	case last.at.IsZero():
		return 0, second
	case !(c.n >= last.n):
		return 0, "counters ran backwards"
	case dt <= 0:
		return 0, "no time since the last sample"
	default:
		return (c.n - last.n) / dt, ""
	}
}
