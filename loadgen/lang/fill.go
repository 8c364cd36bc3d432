package lang

import (
	"strings"

	"dev.example/pileup/loadgen/ledger"
)

// filler fills one template.
type filler struct {
	c    *Catalogue
	args []ledger.Arg
	out  strings.Builder
	// lacking says that a field since it was last cleared had no value.
	lacking bool
}

func (f *filler) fill(t string) {
	for t != "" {
		i := strings.IndexAny(t, "{[")
		if i < 0 {
			break
		}
		f.out.WriteString(t[:i])
		closing := "}"
		if t[i] == '[' {
			closing = "]"
		}
		inside, rest, ok := strings.Cut(t[i+1:], closing)
		if !ok {
			t = t[i:]
			break
		}
		if t[i] == '{' {
			f.field(inside)
		} else {
			f.optional(inside)
		}
		t = rest
	}
	f.out.WriteString(t)
}

// optional writes the part only if all its fields have values.
func (f *filler) optional(part string) {
	sub := filler{c: f.c, args: f.args}
	sub.fill(part)
	if !sub.lacking {
		f.out.WriteString(sub.out.String())
	}
}

// field writes name, name:kind or name|one|many.
func (f *filler) field(spec string) {
	name, rest := spec, ""
	if i := strings.IndexAny(spec, ":|"); i >= 0 {
		name, rest = spec[:i], spec[i:]
	}
	v := f.value(name)
	if v == nil {
		f.lacking = true
		f.out.WriteString(Nothing)
		return
	}
	switch text := Value(v); {
	case strings.HasPrefix(rest, ":"):
		f.out.WriteString(f.c.word(rest[1:], text))
	case strings.HasPrefix(rest, "|"):
		one, many, _ := strings.Cut(rest[1:], "|")
		if text == "1" {
			many = one
		}
		f.out.WriteString(many)
	default:
		f.out.WriteString(text)
	}
}

// value returns the value of that name, nil if it is absent or empty.
func (f *filler) value(name string) any {
	for _, a := range f.args {
		if a.Name == name {
			if a.Value == "" || a.Value == ledger.Never {
				return nil
			}
			return a.Value
		}
	}
	return nil
}
