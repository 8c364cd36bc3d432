package main

import (
	"encoding/json"
	"os"
	"slices"
	"testing"
)

func TestTurn(t *testing.T) {
	l := load{judged: []string{"a", "b"}, also: []string{"c"}}
	for round, want := range [][]string{{"a", "b", "c"}, {"b", "c", "a"}, {"c", "a", "b"}, {"b", "a"}, {"a", "b"}} {
		if got := l.turn(round); !slices.Equal(got, want) {
			t.Errorf("round %d: got %v, want %v", round, got, want)
		}
	}
}

func TestBodies(t *testing.T) {
	small, large, err := bodies(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(small)
	if err != nil {
		t.Fatal(err)
	}
	if len(text) != 2048 || !json.Valid(text) {
		t.Errorf("2 KB of JSON: %d bytes, %s…", len(text), text[:min(len(text), 40)])
	}
	picture, err := os.ReadFile(large)
	if err != nil {
		t.Fatal(err)
	}
	if len(picture) != 602112 {
		t.Errorf("602 KB: %d bytes", len(picture))
	}
}
