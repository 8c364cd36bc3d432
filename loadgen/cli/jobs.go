package cli

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// orphaned reports whether nobody would continue this process if it stopped:
// no member of its group is the child of a process of the same session in
// another group, such as a shell. The kernel lets ctrl+z stop no such group.
func orphaned() bool {
	session, err := unix.Getsid(0)
	if err != nil {
		return true
	}
	for pid := os.Getppid(); pid > 0; {
		s, err := unix.Getsid(pid)
		if err != nil || s != session {
			return true
		}
		if group, err := unix.Getpgid(pid); err != nil || group != unix.Getpgrp() {
			return err != nil
		}
		parent, known := parentOf(pid)
		if !known {
			return pid == session // above its leader there is nobody of the session
		}
		pid = parent
	}
	return true // the parent is outside of the container
}

// parentOf returns the parent of a process, where the system has a /proc.
func parentOf(pid int) (parent int, known bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, false
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])) // state, parent, …
	if len(fields) < 2 {
		return 0, false
	}
	parent, err = strconv.Atoi(fields[1])
	return parent, err == nil
}

// ignoredFromStart reports whether the process was started with a signal
// ignored. os/signal does not know it of those that stop a process; where there
// is no /proc they are taken not to be.
func ignoredFromStart(s syscall.Signal) bool {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(status)) {
		if hex, ok := strings.CutPrefix(line, "SigIgn:"); ok {
			mask, err := strconv.ParseUint(strings.TrimSpace(hex), 16, 64)
			return err == nil && mask&(1<<(s-1)) != 0
		}
	}
	return false
}
