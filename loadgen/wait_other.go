//go:build !linux

package loadgen

// PrecisePacing is [TimerPacing] where the kernel has no absolute sleep.
func PrecisePacing() Wait { return TimerPacing() }

// Reserve does nothing where no wait keeps a processor of Go's scheduler.
func Reserve(int) (release func()) { return func() {} }
