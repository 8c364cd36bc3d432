package report

import (
	"cmp"
	"slices"
	"strings"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
)

const (
	// fewKinds is how many kinds of failures are listed.
	fewKinds = 8
	// shortText is how much of what was said is shown, in columns.
	shortText = 240
)

// failureKinds prints the first and the last failure of each kind, the most
// frequent first.
func (p *printer) failureKinds() {
	kinds := slices.Clone(p.lane.Failures)
	if len(kinds) == 0 {
		return
	}
	slices.SortStableFunc(kinds, func(a, b ledger.FailureGroup) int { return cmp.Compare(b.Count, a.Count) })
	rest := p.lane.OtherFailures
	for _, kind := range kinds[min(len(kinds), fewKinds):] {
		rest += kind.Count
	}
	p.title(lang.TableFailures)
	for i := range kinds[:min(len(kinds), fewKinds)] {
		p.failureKind(&kinds[i])
	}
	if rest > 0 {
		p.say(p.c.T(lang.FailureOthers, lang.With("n", rest)))
	}
}

func (p *printer) failureKind(kind *ledger.FailureGroup) {
	p.say(p.c.T(lang.TotalFailedClass, lang.With("n", kind.Count), lang.With("class", kind.Name())))
	if kind.Count == 1 {
		p.sample("", &kind.First, kind.First.Text)
		return
	}
	first, last := p.c.T(lang.FailureFirst), p.c.T(lang.FailureLast)
	pad := func(s string) string { return s + strings.Repeat(" ", max(width(first), width(last))-width(s)) + gap }
	p.sample(pad(first), &kind.First, kind.First.Text)
	text := kind.Last.Text
	if text == kind.First.Text {
		text = ""
	}
	p.sample(pad(last), &kind.Last, text)
}

// sample prints one failed request, behind a label. Lane and target are named
// where there are several.
func (p *printer) sample(label string, f *ledger.FailureSample, text string) {
	lane, target := "", ""
	if len(p.s.Lanes) > 1 && f.Lane >= 0 && f.Lane < len(p.s.Lanes) {
		lane = p.s.Lanes[f.Lane].Info.Name
	}
	if len(p.s.Targets) > 1 {
		target = targetName(p.s.Setup, f.Target)
	}
	p.hang("    "+label, p.c.T(lang.FailureSample, lang.With("at", measured(f.At)), lang.With("i", f.I),
		lang.With("lane", lane), lang.With("target", target), lang.With("text", shorten(text, shortText))))
}
