package sink

import (
	"bufio"
	"encoding/gob"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// start runs a sink and returns its URL, and a function that ends it and
// returns what it saw.
func start(t *testing.T, args ...string) (url string, end func() Record) {
	t.Helper()
	in, stop := io.Pipe()
	out, w := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- Main(args, in, w) }()
	r := bufio.NewReader(out)
	addr, err := r.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return "http://" + strings.TrimSpace(addr), func() (rec Record) {
		stop.Close()
		if err := gob.NewDecoder(r).Decode(&rec); err != nil {
			t.Error(err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
		return rec
	}
}

// ask sends one request and returns the answer's body.
func ask(t *testing.T, method, url, body string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return ""
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Error(err)
		return ""
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Error(err)
	}
	return string(b)
}

func TestOnlyPostsAreCountedAndEachHasAStampOfItsOwn(t *testing.T) {
	url, end := start(t)
	var from, to []int64
	for range 3 {
		if got := ask(t, "GET", url+ModelPath, ""); got != Status {
			t.Errorf("asked for the model: %s", got)
		}
		from = append(from, time.Now().UnixNano())
		if got := ask(t, "POST", url+PredictPath, strings.Repeat("x", 100<<10)); got != Answer {
			t.Errorf("posted: %s", got)
		}
		to = append(to, time.Now().UnixNano())
	}
	rec := end()
	if len(rec.Requests) != len(from) || rec.OpenMax != 1 {
		t.Fatalf("%d requests, %d at once; want %d, 1", len(rec.Requests), rec.OpenMax, len(from))
	}
	for i, r := range rec.Requests {
		if r.Arrived < from[i] || r.Answered < r.Arrived || r.Answered > to[i] {
			t.Errorf("request %d arrived %d ns and was answered %d ns after it was made, within %d",
				i, r.Arrived-from[i], r.Answered-from[i], to[i]-from[i])
		}
	}
}

func TestOneWorkerServesOneAfterAnother(t *testing.T) {
	const n, service = 3, 2 * time.Millisecond
	url, end := start(t, "-service", service.String())
	var all sync.WaitGroup
	for range n {
		all.Go(func() { ask(t, "POST", url+PredictPath, "x") })
	}
	all.Wait()
	requests := end().Requests
	if len(requests) != n {
		t.Fatalf("%d requests, want %d", len(requests), n)
	}
	first, last := requests[0].Arrived, requests[0].Answered
	for _, r := range requests {
		first, last = min(first, r.Arrived), max(last, r.Answered)
	}
	if got := time.Duration(last - first); got < n*service {
		t.Errorf("%d requests of %v took %v", n, service, got)
	}
}
