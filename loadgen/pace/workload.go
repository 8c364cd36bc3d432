package pace

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"
	"unicode"
	"unicode/utf8"
)

// What a workload may hold. With it a workload takes at most 2 GB.
const (
	maxRequests = 100_000_000
	maxCount    = 10_000_000 // of a line
	maxSeconds  = 10_000_000 // 115 days
	maxModels   = 1000
	maxName     = 256 // bytes
	longestLine = 64 << 10
)

// A Workload says what is due for several models, second by second or request
// by request. It comes from [ReadWorkload] or [Make] and is immutable. Each
// trace may be driven by itself, by any number of lanes: even where models share
// the slots of a second, all that its due times depend on is in it.
//
// That has a price. In a second that models share a lane walks over the requests
// of all of them, at some 3 ns each: 0.1 µs a second for the lab's 41, 0.3 ms for
// 100,000, 30 ms for 10 million. A model that is rare in such a second pays it
// in one go, between two of its requests.
type Workload struct {
	Models  []string      // in order of first appearance; "" where the file names none
	Traces  []*Trace      // of each model
	Lines   []int         // of a file on which each model appears first, from 1
	Total   int64         // requests of all models, at most 100 million
	Length  time.Duration // whole seconds: the end of the last one
	Hash    string        // SHA-256 of the file's bytes in hexadecimal
	counted bool          // written by the second
}

// Trace returns the trace of a model.
func (w *Workload) Trace(model string) (*Trace, bool) {
	i := slices.Index(w.Models, model)
	if i < 0 {
		return nil, false
	}
	return w.Traces[i], true
}

// add returns the raw trace of a model, new or not.
func (w *Workload) add(model string) *Trace {
	w.Models = append(w.Models, model)
	w.Traces = append(w.Traces, &Trace{})
	return w.Traces[len(w.Traces)-1]
}

// close puts every trace in order, once all is added.
func (w *Workload) close(within Within, seed uint64) {
	for i, t := range w.Traces {
		t.within, t.seed, t.length = within, Seed(seed, "trace "+w.Models[i], 0, 0), w.Length
		slices.Sort(t.dues)
		t.total = int64(len(t.dues)) + t.tallied()
	}
	if within == Even && w.counted {
		w.share(Seed(seed, "shuffle", 0, 0))
	}
}

// crowded returns the instant, in µs, at which most requests are due, and how
// many, if that is more than so many; due times alone are looked at, which are
// in order.
func (w *Workload) crowded(most int64) (at, n int64) {
	if w.counted || w.Total <= most {
		return 0, 0
	}
	for _, t := range w.Traces {
		for from := 0; from < len(t.dues); {
			us := t.dues[from]
			to, _ := slices.BinarySearch(t.dues[from:], us+1)
			from += to
			// One model has its share of a crowd, at least.
			if int64(to)*int64(len(w.Traces)) <= max(most, n) {
				continue
			}
			if sum := w.dueAt(us); sum > max(most, n) {
				at, n = us, sum
			}
		}
	}
	return at, n
}

// dueAt is how many requests of all models are due at an instant.
func (w *Workload) dueAt(us int64) (n int64) {
	for _, t := range w.Traces {
		from, _ := slices.BinarySearch(t.dues, us)
		to, _ := slices.BinarySearch(t.dues, us+1)
		n += int64(to - from)
	}
	return n
}

// tallied puts the tallies in order, one a second, and returns their sum.
func (t *Trace) tallied() (sum int64) {
	slices.SortFunc(t.seconds, func(a, b tally) int { return cmp.Compare(a.second, b.second) })
	kept := t.seconds[:0]
	for _, s := range t.seconds {
		if last := len(kept) - 1; last >= 0 && kept[last].second == s.second {
			kept[last].n += s.n
		} else {
			s.before = int32(sum)
			kept = append(kept, s)
		}
		sum += int64(s.n)
	}
	t.seconds = slices.Clip(kept)
	return sum
}

// checkModel refuses names that no server has and no screen could show.
func checkModel(name string) error {
	switch {
	case len(name) > maxName:
		return fmt.Errorf("a model name of %d bytes is too long (at most %d)", len(name), maxName)
	case !utf8.ValidString(name):
		return fmt.Errorf("model %q is not UTF-8", Brief(name))
	}
	for _, r := range name {
		if unicode.IsControl(r) {
			return fmt.Errorf("model %q holds a control character", Brief(name))
		}
	}
	return nil
}

// WriteCSV writes the workload as [ReadWorkload] reads it, with a header:
// counts as second,model,count in order of seconds, due times as due,model in
// order of models. Seconds without a request are left out, but for the first
// and the last, which show all models and the length.
func (w *Workload) WriteCSV(to io.Writer) error {
	buffered := bufio.NewWriter(to)
	out := csv.NewWriter(buffered)
	if w.counted {
		w.writeCounts(out)
	} else {
		w.writeDues(out)
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("write workload: %w", err)
	}
	if err := buffered.Flush(); err != nil {
		return fmt.Errorf("write workload: %w", err)
	}
	return nil
}

func (w *Workload) writeCounts(out *csv.Writer) {
	_ = out.Write([]string{"second", "model", "count"}) // Error tells
	last := int32(w.Length / time.Second)
	rest := make([][]tally, len(w.Traces))
	for i, t := range w.Traces {
		rest[i] = t.seconds
	}
	for k := int32(1); k <= last; k++ {
		next := last
		for i, model := range w.Models {
			n := int32(0)
			if len(rest[i]) > 0 && rest[i][0].second == k {
				n, rest[i] = rest[i][0].n, rest[i][1:]
			}
			if n > 0 || k == 1 || k == last {
				_ = out.Write([]string{strconv.Itoa(int(k)), model, strconv.Itoa(int(n))})
			}
			if len(rest[i]) > 0 {
				next = min(next, rest[i][0].second)
			}
		}
		k = max(k, next-1)
	}
}

func (w *Workload) writeDues(out *csv.Writer) {
	named := len(w.Models) != 1 || w.Models[0] != ""
	write := func(due, model string) {
		if !named {
			_ = out.Write([]string{due})
			return
		}
		_ = out.Write([]string{due, model})
	}
	write("due", "model")
	for i, t := range w.Traces {
		for _, us := range t.dues {
			write(fmt.Sprintf("%d.%06d", us/1e6, us%1e6), w.Models[i])
		}
	}
}
