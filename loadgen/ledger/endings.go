package ledger

import "time"

// ending is what the end of one request says about its target.
type ending struct {
	at      time.Duration
	waits   time.Duration // since when it had waited for the target in vain; at of others
	i       int64
	lane    int32
	target  int32
	failure int32 // its number among those of the second, or -1
}

var success Failure

// endings are those of one second, in the order in which they were told.
type endings struct {
	list     []ending
	failures []Failure
}

func (v *endings) add(e *Event) {
	one := ending{e.Done, waited(e), e.I, int32(e.Lane), int32(e.Target), -1}
	if !e.OK() {
		one.failure = int32(len(v.failures))
		v.failures = append(v.failures, e.Failure)
	}
	v.list = append(v.list, one)
}

// waited is since when a request waited for an answer that did not come. Of a
// connection that failed that is not known: it may have been held for long, and
// refused at once.
func waited(e *Event) time.Duration {
	if e.Failure.Class == Timeout && e.Sent != Never {
		return e.Sent
	}
	return e.Done
}

// of returns why it failed; the zero Failure is success. It is not written to.
func (v *endings) of(one *ending) *Failure {
	if one.failure < 0 {
		return &success
	}
	return &v.failures[one.failure]
}

func (v *endings) clear() {
	clear(v.failures) // let go of the strings
	v.list, v.failures = v.list[:0], v.failures[:0]
}
