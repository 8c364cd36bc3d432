package run

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/probes"
)

// busyDriver has used a second of processor time more at each sample.
type busyDriver struct{ cpu float64 }

func (d *busyDriver) Name() string { return ledger.DriverProbe }

func (d *busyDriver) Read(context.Context) (probes.Sample, error) {
	d.cpu++
	return probes.Sample{Own: probes.Process{CPU: probes.Of(d.cpu), Cores: probes.Of(1)}}, nil
}

// However long one looks at a run that is over, what the driver used is what it
// used for the run.
func TestTheDriverOfARunThatIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		opt := Options{Setup: setup(1), Probes: []probes.Probe{&busyDriver{}}, Stay: true}
		opt.Setup.Length = 10 * time.Second
		l, wait := start(t, ctx, &endpoint{service: always(time.Millisecond)}, opt)
		time.Sleep(12 * time.Second)
		use := func() ledger.DriverUse {
			s := l.Snapshot()
			return ledger.UseOfDriver(ledger.DriverSeries(s), s.At)
		}
		at := use()
		if cpu := at.CPU.Or(0); cpu < 9 || cpu > 11 {
			t.Errorf("%v s of processor time in a run of 10 s", cpu)
		}
		time.Sleep(time.Hour)
		if got := use(); got != at {
			t.Errorf("an hour later %+v, at the end %+v", got, at)
		}
		if points := l.Snapshot().Series[0].Points; points[0].At < 30*time.Minute {
			t.Errorf("samples are kept from %s on", points[0].At)
		}
		cancel()
		if err := wait(); err != nil {
			t.Fatal(err)
		}
	})
}
