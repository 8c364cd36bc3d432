// Package guard is the only place where pileup starts goroutines of its own.
//
// A goroutine that panics would leave the terminal in raw mode, on the
// alternate screen and without a cursor, and would print its trace where
// nobody sees it. A [Group] recovers the panic, calls the process's crash hook
// once (which restores the terminal, saves the trace and exits) and, if there
// is no hook, panics on as Go would.
package guard

import (
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// A Crash is a panic in a goroutine of ours.
type Crash struct {
	Name  string // what the goroutine was for
	Value any    // what it panicked with
	Stack []byte
}

func (c Crash) Error() string { return fmt.Sprintf("panic in %s: %v", c.Name, c.Value) }

var (
	hook    atomic.Pointer[func(Crash)]
	crashed sync.Once
)

// OnCrash sets what happens at the first panic of a guarded goroutine. f runs
// in that goroutine and is expected not to return to it (it exits the
// process). Later panics wait for ever behind the first.
func OnCrash(f func(Crash)) { hook.Store(&f) }

// A Group starts goroutines and waits for them. The zero Group is ready.
type Group struct{ wg sync.WaitGroup }

// Go runs f in a goroutine of its own. name says what it is for.
func (g *Group) Go(name string, f func()) {
	g.wg.Go(func() {
		defer Recover(name)
		f()
	})
}

// Wait returns when every goroutine of the group has ended.
func (g *Group) Wait() { g.wg.Wait() }

// Recover hands a panic of the calling goroutine to the crash hook. It is
// deferred where the goroutine was started by somebody else.
func Recover(name string) {
	v := recover()
	if v == nil {
		return
	}
	f := hook.Load()
	if f == nil {
		panic(v)
	}
	stack := debug.Stack()
	crashed.Do(func() { (*f)(Crash{name, v, stack}) })
	select {} // the process is being ended by the first crash
}
