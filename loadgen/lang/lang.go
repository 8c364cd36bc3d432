// Package lang holds every sentence pileup says: one catalogue per language,
// each one file.
//
// A sentence is a whole template with named fields, never glued together from
// words, so that another language may order it as it likes. Code knows only
// ids and values. The package computes nothing, knows no terminal and no
// width, and never fails: an id that a catalogue lacks (a note of a newer
// recording) is shown as itself with its values.
//
// A template may say
//
//	{due}                  the value, durations and rates with three digits
//	{n|request|requests}   the first word for 1, the second for the rest
//	{to:arrivals}          the word the catalogue has for arrivals-VALUE
//	[ to {target}]         a part that is left out when its value is absent
//
// To add a language, write one file like english.go; the tests hold it
// complete.
package lang

import (
	"fmt"
	"strings"

	"dev.example/pileup/loadgen/ledger"
)

// An ID names a sentence. Ids of notes are [ledger.Note.ID].
type ID string

// A Catalogue is one language. It is immutable and safe for concurrent use.
type Catalogue struct {
	Tag  string // BCP 47: "en"
	Name string // in itself: "English"
	says map[ID]string
}

var catalogues []*Catalogue

// add makes a language known. It is called while the package is initialised.
func add(c *Catalogue) *Catalogue {
	catalogues = append(catalogues, c)
	return c
}

// Catalogues returns all languages.
func Catalogues() []*Catalogue { return append([]*Catalogue(nil), catalogues...) }

// ByTag returns the language of that tag ("ko", "en-GB"), and false if there
// is none.
func ByTag(tag string) (*Catalogue, bool) {
	base, _, _ := strings.Cut(strings.ToLower(tag), "-")
	for _, c := range catalogues {
		if c.Tag == base {
			return c, true
		}
	}
	return nil, false
}

// With is a named value for a sentence: a string, an integer, a float64 (a
// rate or a plain number) or a time.Duration.
func With(name string, value any) ledger.Arg {
	return ledger.Arg{Name: name, Value: value}
}

// T returns the sentence id with its fields filled in. A field without a value
// is "–"; an id the catalogue lacks is itself, with its values.
func (c *Catalogue) T(id ID, args ...ledger.Arg) string {
	t, ok := c.says[id]
	if !ok {
		return unknown(id, args)
	}
	if !strings.ContainsAny(t, "{[") {
		return t
	}
	f := filler{c: c, args: args}
	f.fill(t)
	return f.out.String()
}

// Has reports whether the catalogue knows the id.
func (c *Catalogue) Has(id ID) bool {
	_, ok := c.says[id]
	return ok
}

// Note returns the sentence of a note.
func (c *Catalogue) Note(n ledger.Note) string { return c.T(ID(n.ID), n.Args...) }

// Phase returns the word for a phase of the run.
func (c *Catalogue) Phase(p ledger.Phase) string { return c.word("phase", p.String()) }

// Arrivals returns the word for a pattern of arrivals, given by its name.
func (c *Catalogue) Arrivals(name string) string { return c.word("arrivals", name) }

// Do returns the word for what a command does.
func (c *Catalogue) Do(d ledger.Do) string { return c.word("do", string(d)) }

// word returns what the catalogue has for kind-name, or name itself.
func (c *Catalogue) word(kind, name string) string {
	if w, ok := c.says[ID(kind+"-"+name)]; ok {
		return w
	}
	return name
}

func unknown(id ID, args []ledger.Arg) string {
	var b strings.Builder
	b.WriteString(string(id))
	for _, a := range args {
		fmt.Fprintf(&b, " %s=%s", a.Name, Value(a.Value))
	}
	return b.String()
}
