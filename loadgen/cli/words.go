package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"dev.example/pileup/loadgen/pace"
	"dev.example/pileup/loadgen/target/httpconn"
	"dev.example/pileup/loadgen/target/tfserving"
)

// place is one [NAME=]URL of the command line.
type place struct {
	name string
	addr httpconn.Address
	raw  string // the URL as written; may hold secrets
}

// schemes are those of the URLs that can be driven.
var schemes = []string{"tfs+http"}

// parsePlaces reads the positional words. commands are the names of the
// subcommands, for the hint at a word that is neither.
func parsePlaces(args, commands []string) ([]place, error) {
	var out []place
	for _, word := range args {
		name, raw, named := cutName(word)
		if !strings.Contains(raw, "://") {
			return nil, notAPlace(word, commands)
		}
		if scheme, _, _ := strings.Cut(raw, "://"); !slices.Contains(schemes, strings.ToLower(scheme)) {
			return nil, refuse(httpconn.ExampleHint, "unknown scheme %q: known is %s", pace.Brief(httpconn.Redact(scheme)), strings.Join(schemes, ", "))
		}
		addr, err := httpconn.ParseAddress(raw)
		if err != nil {
			return nil, err
		}
		if !named {
			name = nameOf(addr)
		}
		if oneLine(name) != name || name == "" {
			return nil, refuse("xavier="+httpconn.Redact(raw), "a target cannot be called %q", pace.Brief(name))
		}
		if slices.ContainsFunc(out, func(p place) bool { return p.name == name }) {
			return nil, refuse("give each target a name of its own: xavier="+httpconn.Redact(raw), "two targets are called %q", pace.Brief(name))
		}
		out = append(out, place{name, addr, raw})
	}
	return out, nil
}

// cutName splits NAME=URL. An = behind the :// belongs to the URL.
func cutName(word string) (name, raw string, named bool) {
	eq, sep := strings.Index(word, "="), strings.Index(word, "://")
	if eq > 0 && (sep < 0 || eq < sep) {
		return word[:eq], word[eq+1:], true
	}
	return "", word, false
}

// nameOf calls a target after its host, and its port where that is not the usual
// one: the same in every run, whatever other targets there are.
func nameOf(a httpconn.Address) string {
	if a.Port == 0 || a.Port == tfserving.DefaultPort {
		return a.Host
	}
	return a.HostPort()
}

func notAPlace(word string, commands []string) error {
	shown := pace.Brief(httpconn.Redact(word))
	hint := httpconn.ExampleHint
	if near := nearest(word, commands); near != "" {
		hint = fmt.Sprintf("did you mean %q? To drive a server, %s", "pileup "+near, httpconn.ExampleHint)
	}
	return refuse(hint, "%q is neither a URL nor a command", shown)
}

// nearest returns the name that is at most two edits away from word.
func nearest(word string, names []string) (best string) {
	limit := 3
	for _, n := range names {
		if d := edits(word, n); d < limit {
			best, limit = n, d
		}
	}
	return best
}

// edits is the Levenshtein distance.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// wish is one -m MODEL[:VERSION][@TARGET][=RATE].
type wish struct {
	model  string
	target string  // "" is every target
	rate   float64 // requests per second
	rated  bool
}

func parseWish(s string) (wish, error) {
	hint := "write -m MODEL, -m MODEL=50 or -m MODEL@TARGET=50"
	w := wish{model: s}
	if i := strings.LastIndex(w.model, "="); i >= 0 {
		r, err := pace.ParseRate(w.model[i+1:])
		if err != nil {
			return w, refuse(hint, "-m %s: %w", pace.Brief(s), err)
		}
		w.model, w.rate, w.rated = w.model[:i], r, true
	}
	if i := strings.LastIndex(w.model, "@"); i >= 0 {
		w.model, w.target = w.model[:i], w.model[i+1:]
		if w.target == "" {
			return w, refuse(hint, "-m %s: no target behind the @", pace.Brief(s))
		}
	}
	if w.model == "" || oneLine(w.model) != w.model {
		return w, refuse(hint, "-m %q: no model", pace.Brief(s))
	}
	return w, nil
}

// grouped is a whole number as it can be read: "3,000,000".
func grouped(n float64) string {
	s := strconv.FormatFloat(n, 'f', 0, 64)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
