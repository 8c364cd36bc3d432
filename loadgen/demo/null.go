package demo

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"

	"dev.example/pileup/loadgen/guard"
)

// A Null is a server that costs as little as can be, to find out what a driver
// can do: it reads a POST, throws the body away and gives every one the same
// answer, without looking at it. GET says what each model is, as a [Server]
// does.
//
// It speaks as much HTTP/1.1 as drivers do: keep-alive, and bodies whose length
// is said. It waits for ever and closes what it does not understand. Serve may
// be called more than once.
type Null struct{ pages map[string][]byte } // whole answers to GET, by path

// NewNull makes a server that has these models.
func NewNull(models ...Model) *Null {
	n := &Null{map[string][]byte{}}
	for _, m := range models {
		s := newServable(m)
		n.pages["/v1/models/"+m.Name] = whole("200 OK", s.status)
		n.pages["/v1/models/"+m.Name+"/metadata"] = whole("200 OK", s.metadata)
	}
	return n
}

// whole is an answer as it stands on the wire.
func whole(status string, body []byte) []byte {
	return fmt.Appendf(nil, "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", status, jsonKind, len(body), body)
}

var (
	nothing = whole("200 OK", []byte(`{"predictions":[[0]]}`))
	unknown = whole("404 Not Found", []byte(`{"error":"Not Found"}`))
)

// Serve answers what comes in on ln until ctx is done; open connections are
// then cut. It closes ln, and returns when everything it began has ended: nil
// if it was ctx that ended it.
func (n *Null) Serve(ctx context.Context, ln net.Listener) error {
	var conns guard.Group
	defer conns.Wait()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	context.AfterFunc(ctx, func() { _ = ln.Close() }) // Accept says that it is closed
	for {
		c, err := ln.Accept()
		switch {
		case err != nil && ctx.Err() != nil:
			return nil
		case err != nil:
			return fmt.Errorf("serve %s: %w", ln.Addr(), err)
		}
		conns.Go("null connection", func() {
			defer c.Close()
			cut := context.AfterFunc(ctx, func() { _ = c.Close() })
			defer cut()
			n.answer(c)
		})
	}
}

// nullHead is the longest head, in bytes, and what a request may take to be
// read at once.
const nullHead = 4 << 10

// answer answers what comes on a connection, until it ends or does not make
// sense.
func (n *Null) answer(c net.Conn) {
	buf, have := make([]byte, nullHead), 0
	for {
		end := bytes.Index(buf[:have], []byte("\r\n\r\n"))
		if end < 0 {
			if have == len(buf) {
				return
			}
			k, err := c.Read(buf[have:])
			have += k
			if err != nil && k == 0 {
				return
			}
			continue
		}
		head := buf[:end+2] // with the end of its last line
		size, ok := bodySize(head)
		if !ok {
			return
		}
		reply := n.reply(head) // head is overwritten below
		got := end + 4
		if rest := size - int64(have-got); rest > 0 {
			have = 0
			if skip(c, rest) != nil {
				return
			}
		} else {
			have = copy(buf, buf[got+int(size):have])
		}
		if _, err := c.Write(reply); err != nil {
			return
		}
	}
}

func (n *Null) reply(head []byte) []byte {
	if bytes.HasPrefix(head, []byte("POST ")) {
		return nothing
	}
	path, get := bytes.CutPrefix(head, []byte("GET "))
	path, _, _ = bytes.Cut(path, []byte(" "))
	if page := n.pages[string(path)]; get && page != nil {
		return page
	}
	return unknown
}

// bodySize finds the length of a request's body in its head.
func bodySize(head []byte) (size int64, ok bool) {
	for line := range bytes.Lines(head) {
		name, value, _ := bytes.Cut(line, []byte(":"))
		switch {
		case equal(name, "Content-Length"):
			n, err := strconv.ParseInt(string(bytes.TrimSpace(value)), 10, 64)
			return n, err == nil && n >= 0
		case equal(name, "Transfer-Encoding"):
			return 0, false
		}
	}
	return 0, true
}

// equal compares the name of a header regardless of case.
func equal(b []byte, name string) bool {
	return len(b) == len(name) && strings.EqualFold(string(b), name)
}

// A bin is what a body is read into.
type bin [256 << 10]byte

var bins = sync.Pool{New: func() any { return new(bin) }}

// readAway reads so many bytes and throws them away.
func readAway(c net.Conn, rest int64) error {
	bin := bins.Get().(*bin)
	defer bins.Put(bin)
	for rest > 0 {
		n, err := c.Read(bin[:min(int64(len(bin)), rest)])
		rest -= int64(n)
		if err != nil && rest > 0 {
			return err
		}
	}
	return nil
}
