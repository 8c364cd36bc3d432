package main

import (
	"bufio"
	"encoding/gob"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"bench/sink"
)

// A server is a sink's process.
type server struct {
	cmd  *exec.Cmd
	url  string
	stop io.Closer     // its input
	out  *bufio.Reader // its address, and in the end its record
}

func startSink(service time.Duration) (*server, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	s := &server{cmd: exec.Command(self, "sink", "-service", service.String())}
	s.cmd.Stderr = os.Stderr
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // it outlives ctrl+c, and ends with its input
	in, err := s.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.stop, s.out = in, bufio.NewReader(out)
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	addr, err := s.out.ReadString('\n')
	if err != nil {
		return nil, errors.Join(err, s.kill())
	}
	s.url = "http://" + strings.TrimSpace(addr)
	return s, nil
}

// end ends the sink and returns what it saw.
func (s *server) end() (rec sink.Record, err error) {
	s.stop.Close()
	if err := gob.NewDecoder(s.out).Decode(&rec); err != nil {
		return rec, errors.Join(err, s.kill())
	}
	return rec, s.cmd.Wait()
}

func (s *server) kill() error {
	s.stop.Close()
	err := s.cmd.Process.Kill()
	_ = s.cmd.Wait() // it was killed
	return err
}
