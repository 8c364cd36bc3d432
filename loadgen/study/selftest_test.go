package study

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// What was written is read again, unless another program counts otherwise.
func TestRead(t *testing.T) {
	s := New("pileup <1>", Machine{"Some CPU", 2}, 3*time.Second)
	s.Ways = found().Ways
	var b bytes.Buffer
	if err := s.Write(&b); err != nil {
		t.Fatal(err)
	}
	if strings.Count(b.String(), "\n") != 1 || !strings.HasPrefix(b.String(), `{"v":1,"tool":"pileup <1>",`) {
		t.Errorf("written %q", b.String())
	}
	got, err := Read(&b)
	if diff := cmp.Diff(s, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	for _, other := range []string{"", "{", `{"v":2}`, `{}`, `[]`} {
		if got, err := Read(strings.NewReader(other)); err == nil {
			t.Errorf("%q is %+v", other, got)
		}
	}
}

func TestFitness(t *testing.T) {
	good := found()
	good.Step, good.Machine.Cores, good.Others = 1, 2, 0.5
	for name, c := range map[string]struct {
		spoil func(*SelfTest)
		want  Fitness
	}{
		"fit":       {func(*SelfTest) {}, Fit},
		"short":     {func(s *SelfTest) { s.Step = 0.99 }, Short},
		"disturbed": {func(s *SelfTest) { s.Others = 0.51 }, Disturbed},
		"empty":     {func(s *SelfTest) { s.Ways = s.Ways[3:] }, Late},
	} {
		s := *good
		c.spoil(&s)
		if got := s.Fitness(); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
