package study

import (
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/runfile"
)

// What reading a recording costs goes by its lines, not by their product, and
// not by how far their times are apart.
func TestWeightsOfManyChangesAndFarTimes(t *testing.T) {
	const n = 20_000
	r := recorded{setup: &ledger.Setup{Targets: []ledger.Target{{Name: "xavier"}}, Lanes: make([]ledger.LaneSetup, 1)}, models: map[int][]runfile.Command{}}
	for i := range 10 * n {
		at := time.Duration(i) * time.Hour
		if i < n {
			r.models[0] = append(r.models[0], runfile.Command{At: at, Command: ledger.Command{Name: "m" + strconv.Itoa(i%2)}})
		}
		r.done = append(r.done, request{ok: true, span: span{at, at + time.Second}})
	}
	begun := time.Now()
	got := r.worths()
	if took := time.Since(begun); took > 5*time.Second {
		t.Errorf("it takes %s", took)
	}
	if d := cmp.Diff(map[work]float64{{"xavier", "m0"}: 1, {"xavier", "m1"}: 1}, got, cmp.AllowUnexported(work{})); d != "" {
		t.Error(d)
	}
}

const (
	aHeader = `{"t":"run","v":1,"start":"2026-12-01T10:00:00Z","seed":1,"targets":[{"id":0,"name":"xavier"}],"lanes":[{"id":0,"name":"A","targets":[0],"model":"a","arrivals":"constant","rate":50}],"driver":{}}` + "\n"
	aDone   = `{"t":"req","l":0,"i":0,"g":0,"due":0.000000,"start":0.000000,"sent":0.000000,"first":0.250000,"done":0.250000,"up":1,"down":1}` + "\n"
	anEnd   = `{"t":"end","at":1.0,"why":"done"}` + "\n"
)

func TestReadWorth(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		ended bool
	}{
		"whole":      {aHeader + aDone + anEnd, true},
		"no end":     {aHeader + aDone, false},
		"breaks off": {aHeader + aDone + anEnd[:9], false},
	} {
		w, err := ReadWorth(strings.NewReader(c.text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if w.Ended != c.ended || w.Of("xavier", "a") != 4 || w.Of("xavier", "b") != 0 || w.Of("tx2", "a") != 0 {
			t.Errorf("%s: %+v", name, w)
		}
	}
	if _, err := ReadWorth(strings.NewReader("second,model,count\n")); !errors.Is(err, runfile.ErrNotRunFile) {
		t.Errorf("no run file: %v", err)
	}
	if _, err := ReadWorth(strings.NewReader(aHeader + "{\"t\":\x00\n" + aDone)); err == nil {
		t.Error("damaged: no error")
	}
}
