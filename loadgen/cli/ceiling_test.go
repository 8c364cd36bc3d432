package cli

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/study"
)

func TestDemandIsASentence(t *testing.T) {
	d := &study.Demand{Rate: 300, Body: 3_151_655, Share: 1.576, Found: time.Date(2026, 12, 1, 10, 0, 0, 0, time.Local)}
	want := "300/s of up to 3.15 MB is 158 % of what this machine could drive in its self-test of 2026-12-01: what is measured may be the driver"
	if got := demandText(d); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	d.Others = 1.5
	if got := demandText(d); !strings.Contains(got, "of 2026-12-01, when other programs kept 1.5 cores busy: ") {
		t.Error(got)
	}
}

// The demand of a run is that of the way its protocol is sent by.
func TestCeiling(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", "")
	asks := func(protocol string) string {
		return ceiling(t.Context(), &ledger.Setup{
			Targets: []ledger.Target{{Protocol: protocol}},
			Lanes:   []ledger.LaneSetup{{Targets: []int{0}, Setting: ledger.Setting{Rate: 600, BodyBytes: 2000}}},
		})
	}
	if got := asks("tfs+http"); got != "" {
		t.Errorf("without a self-test: %s", got)
	}
	name, err := selfTestFile()
	if err != nil {
		t.Fatal(err)
	}
	s := study.New("pileup", thisCPU(t.Context()), 3*time.Second)
	s.Ways = []study.Way{
		{Path: "raw", Body: 2000, Open: &study.OpenLoop{PerSecond: 1000}},
		{Path: "net/http", Body: 2000, Open: &study.OpenLoop{PerSecond: 100}},
	}
	if err := keep(name, s); err != nil {
		t.Fatal(err)
	}
	for protocol, want := range map[string]string{
		"tfs+http": " is 60 % of ", "kserve+http": " is 60 % of ", "tfs+https": " is 600 % of ", "kserve+grpc": "",
	} {
		if got := asks(protocol); !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("%s: %q, want %q", protocol, got, want)
		}
	}
}

// What was kept is found again, on the same machine only.
func TestKeptSelfTest(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("XDG_CACHE_HOME", "")
	if got := keptSelfTest(t.Context()); got != nil {
		t.Fatalf("%+v from nowhere", got)
	}
	name, err := selfTestFile()
	if err != nil {
		t.Fatal(err)
	}
	want := study.New("pileup", thisCPU(t.Context()), 3*time.Second)
	want.Ways = []study.Way{{Path: "raw", Body: 2000, Open: &study.OpenLoop{PerSecond: 10_000}}}
	for range 2 { // the second replaces the first
		if err := keep(name, want); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(want, keptSelfTest(t.Context())); diff != "" {
		t.Error(diff)
	}
	if files, err := filepath.Glob(filepath.Join(filepath.Dir(name), "*")); err != nil || len(files) != 1 {
		t.Errorf("beside it there are %v, %v", files, err)
	}
	for what, spoil := range map[string]func(*study.SelfTest){
		"of another machine": func(s *study.SelfTest) { s.Machine.Cores++ },
		"of another version": func(s *study.SelfTest) { s.V++ },
	} {
		other := *want
		spoil(&other)
		if err := keep(name, &other); err != nil {
			t.Fatal(err)
		}
		if got := keptSelfTest(t.Context()); got != nil {
			t.Errorf("%s: %+v", what, got)
		}
	}
}

func TestUnfit(t *testing.T) {
	fit := study.SelfTest{Step: 3, Machine: study.Machine{Cores: 2}, Others: 0.5, Ways: []study.Way{{Open: &study.OpenLoop{}}}}
	for name, c := range map[string]struct {
		spoil func(*study.SelfTest)
		want  string
	}{
		"fit":       {func(*study.SelfTest) {}, ""},
		"short":     {func(s *study.SelfTest) { s.Step = 0.05 }, "steps of 0.05 s are too short to hold a run to: at least 1 s"},
		"disturbed": {func(s *study.SelfTest) { s.Others = 0.51 }, "other programs kept 0.51 of 2 cores busy: repeat it when the machine is calm"},
		"empty":     {func(s *study.SelfTest) { s.Ways = nil }, "no open loop was sent in time"},
	} {
		s := fit
		c.spoil(&s)
		if got := unfit(&s); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
