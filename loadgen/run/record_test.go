package run

import (
	"bytes"
	"errors"
	"fmt"
	"io"
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

// What was left out last is told at the end.
func TestTheLastGapIsRecorded(t *testing.T) {
	r := newRecorder("out")
	r.maxRequests = 1
	s := setup(1)
	r.header(&s)
	r.put(0, requests(0, 1))
	r.put(0, requests(1, 3))
	r.end(time.Second, "done")
	var file bytes.Buffer
	r.run(&File{WriteCloser: nopCloser{&file}}, nil)
	run, err := runfile.Load(&file)
	if err != nil {
		t.Fatal(err)
	}
	if len(run.Requests) != 1 || len(run.Gaps) != 1 || run.Gaps[0].Lost["req"] != 3 || run.Gaps[0].At != time.Second || !run.Ended {
		t.Errorf("%d requests, gaps %+v, ended %v", len(run.Requests), run.Gaps, run.Ended)
	}
	if r.waiting != (size{}) || !r.complete() {
		t.Errorf("%+v wait, complete %v", r.waiting, r.complete())
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

// stuck is a file that takes nothing until it is let go.
type stuck struct{ let chan struct{} }

func (s stuck) Write(p []byte) (int, error) { <-s.let; return len(p), nil }
func (s stuck) Close() error                { return nil }

// A disk that takes nothing does not keep the program, and the last snapshot
// names the file that is on it.
func TestADiskThatTakesNothingIsLeftBehind(t *testing.T) {
	for _, tt := range []struct {
		name string
		on   int // which run's file is on it
		want string
	}{{"the last run's", 2, "out-2"}, {"an earlier run's", 1, "out-1"}} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				bad := stuck{make(chan struct{})}
				opt := Options{Setup: setup(1), Record: func(run int) (File, error) {
					f := File{WriteCloser: nopCloser{io.Discard}, Name: fmt.Sprintf("out-%d", run)}
					if run == tt.on {
						f.WriteCloser = bad
					}
					return f, nil
				}}
				opt.Setup.Length = 2 * time.Second
				l, wait := start(t, t.Context(), &endpoint{service: always(time.Millisecond)}, opt)
				time.Sleep(time.Second)
				do(t, l, ledger.Command{Do: ledger.DoRestart})
				time.Sleep(3 * time.Second)
				over := l.Snapshot() // waits for the disk
				if err := wait(); err != nil {
					t.Fatal(err)
				}
				s := l.Snapshot()
				want := ledger.Record{File: tt.want, Err: "the recording was not finished: the disk took nothing for 3s"}
				if s.Record != want || s.Run != 2 || s.Total.OK != 100 {
					t.Errorf("run %d, %d ok, recording %+v", s.Run, s.Total.OK, s.Record)
				}
				if over.Why != "done" || over.Record.Err != "" || over.Seq >= s.Seq {
					t.Errorf("snapshot %d of a run that is %q, and then %d", over.Seq, over.Why, s.Seq)
				}
				close(bad.let)
			})
		})
	}
}
