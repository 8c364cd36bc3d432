package main

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A load is what a round asks of some tools, one after another.
type load struct {
	name    string
	groups  []string // of the lines that are judged by it
	big     bool     // the body is 602 KB and not 2 KB
	rate    float64  // requests a second; 0 is a closed loop
	conns   int      // of a closed loop
	service time.Duration
	judged  []string // the tools of every round
	also    []string // of the first rounds only: for the table
	more    int      // rounds beyond the others' number
}

// alsoRounds is how many rounds the tools have that nothing is judged by.
const alsoRounds = 3

const (
	slow     = "1000/s of 2 KB"
	fast     = "5000/s of 2 KB"
	big      = "200/s of 602 KB"
	closed   = "64 connections, 2 KB"
	overload = "50/s to a server of 28/s"
	screen   = "500/s of 2 KB"
)

var groups = []string{"schedule", "cpu", "closed", "overload", "screen"}

var loads = []load{
	{name: slow, groups: []string{"schedule", "cpu"}, rate: 1000, judged: pair, also: rest},
	{name: fast, groups: []string{"schedule", "cpu"}, rate: 5000, judged: pair, also: rest},
	{name: big, groups: []string{"schedule", "cpu"}, big: true, rate: 200, judged: pair, also: rest},
	{name: closed, groups: []string{"closed"}, conns: 64, judged: pair, also: rest},
	{name: overload, groups: []string{"overload"}, rate: 50, service: 35 * time.Millisecond, judged: []string{ours}, also: append([]string{vegeta}, rest...)},
	{name: screen, groups: []string{"screen"}, rate: 500, judged: []string{ours, onScreen}, more: 2},
}

var (
	pair = []string{ours, vegeta}
	rest = []string{"fortio", "hey", "plow"}
)

// chosen returns the loads of some groups.
func chosen(names []string) (out []load) {
	for _, l := range loads {
		if slices.ContainsFunc(l.groups, func(g string) bool { return slices.Contains(names, g) }) {
			out = append(out, l)
		}
	}
	return out
}

// turn returns the tools of a round, another one first each time.
func (l load) turn(round int) []string {
	names := slices.Clone(l.judged)
	if round < alsoRounds {
		names = append(names, l.also...)
	}
	k := round % len(names)
	return slices.Concat(names[k:], names[:k])
}

// bodies writes what is posted: 2 KB of JSON, and the bytes of a picture of
// 224×224×3 floats. They are the same every time.
func bodies(dir string) (small, large string, err error) {
	rng := rand.New(rand.NewPCG(7, 7))
	text := fmt.Sprintf(`{"instances":[[%.4f`, rng.Float64())
	const end = `]]}`
	for len(text) < 2048-len(end)-len(",0.0000") {
		text += fmt.Sprintf(",%.4f", rng.Float64())
	}
	text += strings.Repeat(" ", 2048-len(end)-len(text)) + end

	var picture []byte
	for range 224 * 224 * 3 {
		picture, _ = binary.Append(picture, binary.LittleEndian, 2*rng.Float32()-1)
	}
	small, large = filepath.Join(dir, "2k.json"), filepath.Join(dir, "602k.bin")
	if err := os.WriteFile(small, []byte(text), 0o644); err != nil {
		return "", "", err
	}
	return small, large, os.WriteFile(large, picture, 0o644)
}
