// Package probes reads machines: what a core, a clock, a power rail or a
// network link was doing at one moment.
//
// A [Probe] is one source; a [Runner] asks it once a second and never lets a
// slow or broken source hold anything up; a [Series] keeps what came, with its
// gaps. The one idea: a value that was not read is absent and says why. It is
// never zero, and a failed read is a gap in the data, not an error of the run.
package probes

import (
	"context"
	"time"
)

// A Probe is one source of samples. Read takes one sample; it may block until
// ctx is done. It is called from one goroutine at a time. An error means that
// nothing could be read at all; a sample that lacks some values names them in
// Sample.Absent.
type Probe interface {
	// Name is what the source is called on screen and in the run file,
	// for example "xavier" or "driver".
	Name() string
	Read(ctx context.Context) (Sample, error)
}

// A Switcher is a probe of a board whose power mode can be changed.
type Switcher interface {
	// Modes lists what the board offers; ids are the board's own and need
	// not be consecutive.
	Modes() []Mode
	// SetMode changes the mode and returns the one the board is in afterwards.
	SetMode(ctx context.Context, id int) (Mode, error)
}

// A Value is a reading that may be absent. The zero Value is absent.
type Value struct {
	x     float64
	known bool
}

// Of is the Value x. NaN and infinities are absent.
func Of(x float64) Value {
	if x-x != 0 {
		return Value{}
	}
	return Value{x, true}
}

// Get returns the reading and whether there is one.
func (v Value) Get() (x float64, known bool) { return v.x, v.known }

// Equal reports whether both are absent or both are the same reading.
func (v Value) Equal(w Value) bool { return v == w }

// Known reports whether there is a reading.
func (v Value) Known() bool { return v.known }

// Or returns the reading, or x if there is none.
func (v Value) Or(x float64) float64 {
	if v.known {
		return v.x
	}
	return x
}

// A Sample is everything one source knew at one moment.
type Sample struct {
	At        time.Time // middle of the reads
	Simulated bool      // a model of a machine, not a machine

	Cores    []Core // by id, ascending
	Steal    Value  // % of its time since the last sample a hypervisor gave to others; 0 too if it does not tell
	Load1    Value  // load average over one minute
	Threads  Value  // kernel scheduling entities on the machine
	MemUsed  Value  // bytes
	MemTotal Value  // bytes
	SwapUsed Value  // bytes
	Net      []Net

	GPU   Value  // busy, % of the current clock
	GPUHz Value  // clock, Hz
	Mode  *Mode  // power mode; nil if the machine has none or it was not read
	Rails []Rail // power, by rail
	Temps []Temp
	Own   Process // the process that reads, where it is the driver

	Absent []Absent // what could not be read, and why
}

// A Core is one processor core.
type Core struct {
	ID      int
	Online  bool
	Busy    Value // % of the interval since the last sample, 0 to 100
	Freq    Value // current clock, Hz
	FreqMax Value // highest clock the present policy allows, Hz
}

// Net is one network interface over the interval since the last sample. What
// passes a bridge, a bond or a VLAN is counted there and at what lies below, so
// interfaces are never added up.
type Net struct {
	Name string
	Rx   Value // bytes per second received
	Tx   Value // bytes per second sent
	Link Value // nominal speed, bits per second; absent where no hardware has one
}

// A Mode is a power mode of a board.
type Mode struct {
	ID   int
	Name string
	Note string // what it caps, in words; may be empty
}

// A Rail is one power supply. Total marks the rail that carries the whole
// board; it is never added to the others.
type Rail struct {
	Name  string
	Watts float64
	Total bool
}

// A Temp is one temperature.
type Temp struct {
	Name    string
	Celsius float64
}

// Process is the use of resources by one process: the load driver, which
// judges itself by it. "The interval" is the time since the last sample; the
// first sample lacks what is said of it.
type Process struct {
	CPU      Value // seconds of processor time used since its start
	Cores    Value // cores it kept busy over the interval: 1.6 of 2
	CoresMax Value // cores it may keep busy; a fraction under a CPU quota
	RSS      Value // bytes resident
	FDs      Value // open file descriptors
	FDMax    Value // most file descriptors it may have open

	// Why it may be late although it has work to do.

	CoreWait      Value // seconds per second, over all threads, ready to run while the kernel ran others
	Throttled     Value // % of the CPU quota's periods in the interval in which it ran out
	ThrottledTime Value // seconds per second, over all cores, locked out by the quota
	SchedWait     Value // seconds a goroutine waited for a thread, 99th percentile (rounded up) over the interval

	// The Go runtime. Collections count in the interval in which they end.

	GC         Value // collecting garbage, in % of one core
	GCs        Value // collections that ended in the interval
	GCPause    Value // seconds, longest stop of all goroutines by a collection in the interval; 0 if none
	HeapLive   Value // bytes that the last collection found in use
	Goroutines Value // now

	// Ephemeral ports. A connection takes one; only connections to another
	// address or port may share it.

	Ports        Value // at most so many are taken: all TCP sockets of the network namespace, waiting ones too
	PortsWaiting Value // of those, closed here and not free yet (TIME_WAIT, FIN_WAIT2)
	PortMax      Value // how many there are
}

// Absent says why something was not read: Why is "off", "needs root",
// "not on this machine" or the error of the read.
type Absent struct{ What, Why string }
