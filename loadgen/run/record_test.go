package run

import (
	"bytes"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/runfile"
)

// slowFile takes nothing until it is let go.
type slowFile struct {
	bytes.Buffer
	let    chan struct{}
	closed bool
}

func (f *slowFile) Write(p []byte) (int, error) { <-f.let; return f.Buffer.Write(p) }
func (f *slowFile) Close() error                { f.closed = true; return nil }

// requests are n of them, done one a millisecond after number from.
func requests(from, n int) (out ledger.Output) {
	for i := from; i < from+n; i++ {
		at := time.Duration(i) * time.Millisecond
		out.Done = append(out.Done, ledger.Event{Kind: ledger.Done, I: int64(i), Due: at, Started: at, Sent: at, First: at, Done: at})
	}
	return out
}

func TestASlowDiskLosesRequestsThatAreCounted(t *testing.T) {
	var file slowFile
	synctest.Test(t, func(t *testing.T) {
		file.let = make(chan struct{})
		r := newRecorder("out")
		r.maxRequests = 2000
		s := setup(1)
		r.header(&s)
		go r.run(&File{WriteCloser: &file}, nil)
		r.put(0, requests(0, 1999))
		synctest.Wait() // they are being written
		r.put(0, requests(1999, 10))
		r.put(0, requests(2009, 10)) // one too many, and nine
		r.put(0, ledger.Output{Notes: []ledger.Note{{ID: "mark"}}})
		if got := r.state(); got.Lost != 10 || got.Err != "" {
			t.Errorf("%+v", got)
		}
		close(file.let)
		synctest.Wait()
		r.put(2*time.Second, requests(2019, 10))
		r.end(3*time.Second, "done")
		synctest.Wait()
		if got := r.state(); got.Lost != 10 || got.Err != "" || !file.closed {
			t.Errorf("%+v, closed %v", got, file.closed)
		}
		if r.waiting != (size{}) {
			t.Errorf("%+v still wait", r.waiting)
		}
	})
	run, err := runfile.Load(&file.Buffer)
	if err != nil {
		t.Fatal(err)
	}
	if len(run.Requests) != 2019 || len(run.Gaps) != 1 || run.Gaps[0].Lost["req"] != 10 || run.Gaps[0].At != 2*time.Second || !run.Ended {
		t.Errorf("%d requests, gaps %+v, ended %v", len(run.Requests), run.Gaps, run.Ended)
	}
}

func TestAStuckDiskEndsTheRecording(t *testing.T) {
	var file slowFile
	synctest.Test(t, func(t *testing.T) {
		file.let = make(chan struct{})
		r := newRecorder("out")
		r.maxLines = 100
		s := setup(1)
		r.header(&s)
		go r.run(&File{WriteCloser: &file}, nil)
		synctest.Wait() // the header is being written
		r.put(0, requests(0, 5))
		note := ledger.Output{Notes: []ledger.Note{{ID: "mark"}}}
		for range r.maxLines {
			r.put(0, note)
		}
		if got := r.state(); got.Err != "" || got.Lost != 0 || r.failed() != nil {
			t.Errorf("with %d lines: %+v", r.maxLines, got)
		}
		r.put(0, note)
		if got := r.state(); got.Err != "the disk is stuck: 100 lines wait to be written" || got.Lost != 5 || r.todo != nil {
			t.Errorf("with one more: %+v, %d wait", got, len(r.todo))
		}
		r.put(0, requests(5, 5))
		if got := r.state(); got.Lost != 10 || r.todo != nil {
			t.Errorf("after that: %+v, %d wait", got, len(r.todo))
		}
		if err := r.failed(); err == nil || r.failed() != nil {
			t.Errorf("told %v, and again", err)
		}
		r.end(0, "done")
		close(file.let)
		synctest.Wait()
		if !file.closed {
			t.Error("the file is left open")
		}
	})
	run, err := runfile.Load(&file.Buffer)
	if err != nil || run.Ended || len(run.Requests) != 0 {
		t.Errorf("%v, %+v", err, run)
	}
}

func TestAWriteThatFailsIsToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRecorder("out")
		full := errors.New("no space left on device")
		go r.run(&File{WriteCloser: failing{full}}, nil)
		r.put(0, requests(0, 5))
		synctest.Wait()
		if err := r.failed(); !errors.Is(err, full) || r.failed() != nil {
			t.Errorf("told %v", err)
		}
		r.end(0, "done")
	})
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
func (failing) Close() error                { return nil }
