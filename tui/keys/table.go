// Package keys says which key does what. It holds one table: the key line, the
// help and the routing are all made from it, so they cannot disagree.
//
// Letters in which a split or late escape sequence can end (A to D, F, H, O
// and the bracket) are bound to nothing. No request is given up and no run
// ended on one key without a question; s ends sending at once, for that is what
// is wanted when a server is going under, and what is open is still waited for.
package keys

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"
)

// An Action is what a key asks for.
type Action uint8

// The actions.
const (
	None Action = iota
	RateUp
	RateDown
	RateUp10
	RateDown10
	RateDouble
	RateHalve
	RateType
	ModelNext
	ModelPick
	Arrivals
	TargetPick
	Burst
	Pause
	Stop
	Cut
	Restart
	Mode
	Mark
	LaneNext
	LaneAll
	Focus // the pane whose digit was pressed
	Zoom
	Up
	Down
	PageUp
	PageDown
	Freeze
	Window
	Scale
	Service
	Theme
	Back
	Help
	Quit
	Suspend   // ctrl+z
	Interrupt // ctrl+c
	actions
)

// A Group is a heading in the help: "group-<Group>" in the catalogue of each
// language.
type Group string

// The groups.
const (
	Load   Group = "load"   // what is asked of the endpoint
	Run    Group = "run"    // begin and end
	View   Group = "view"   // what the screen shows
	Screen Group = "screen" // leave, help
)

// Groups lists the groups in the order of the help.
var Groups = []Group{Load, Run, View, Screen}

// A Binding ties keys to an action. Its help key is what the key line and the
// help print, none for a key that another one's line names too; the words
// beside it stand in the catalogue of each language under "key-<Name>" and
// "help-<Name>".
type Binding struct {
	key.Binding
	Action Action
	Group  Group
	Name   string
	// Rank orders the key line, the smallest first; 0 is not in it.
	Rank int
}

func bind(a Action, g Group, name string, rank int, shown string, keys ...string) Binding {
	return Binding{
		Binding: key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, name)),
		Action:  a, Group: g, Name: name, Rank: rank,
	}
}

// Panes are the digits of the panes there are.
var Panes = []string{"1", "2", "4", "5", "6", "7", "8"}

// digits are all that are bound: of one without a pane that is said.
var digits = []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}

var table = []Binding{
	bind(RateUp, Load, "rate-up", 0, "+ =", "+", "="),
	bind(RateDown, Load, "rate-down", 0, "-", "-"),
	bind(RateUp10, Load, "rate-up-10", 0, "}", "}"),
	bind(RateDown10, Load, "rate-down-10", 0, "{", "{"),
	bind(RateDouble, Load, "double", 0, ")", ")"),
	bind(RateHalve, Load, "halve", 0, "(", "("),
	bind(RateType, Load, "type-rate", 11, "r", "r"),
	bind(ModelNext, Load, "next-model", 4, "m", "m"),
	bind(ModelPick, Load, "pick-model", 0, "o", "o"),
	bind(Arrivals, Load, "arrivals", 6, "a", "a"),
	bind(TargetPick, Load, "pick-target", 10, "g", "g"),
	bind(Burst, Load, "burst", 9, "b", "b"),
	bind(Mode, Load, "mode", 5, "p", "p"),
	bind(Pause, Run, "pause", 2, "space", " "),
	bind(Stop, Run, "stop", 3, "s", "s"),
	bind(Cut, Run, "cut", 2, "c", "c"),
	bind(Restart, Run, "restart", 8, "R", "R"),
	bind(Mark, Run, "mark", 12, "x", "x"),
	bind(LaneNext, View, "lane", 4, "tab", "tab"),
	bind(LaneAll, View, "all-lanes", 0, "0", "0"),
	bind(Focus, View, "focus", 7, "1 2 4-8", digits...),
	bind(Zoom, View, "zoom", 13, "z", "z"),
	bind(Up, View, "scroll", 0, "↑↓ pgup pgdn", "up"),
	bind(Down, View, "scroll", 0, "", "down"),
	bind(PageUp, View, "scroll", 0, "", "pgup"),
	bind(PageDown, View, "scroll", 0, "", "pgdown"),
	bind(Freeze, View, "freeze", 15, "f", "f"),
	bind(Window, View, "window", 14, "w", "w"),
	bind(Scale, View, "scale", 17, "l", "l"),
	bind(Service, View, "service", 16, "y", "y"),
	bind(Theme, View, "theme", 18, "t", "t"),
	bind(Back, Screen, "back", 0, "esc", "esc"),
	bind(Help, Screen, "help", 19, "?", "?"),
	bind(Quit, Screen, "quit", 20, "q", "q"),
	bind(Suspend, Screen, "suspend", 0, "ctrl+z", "ctrl+z"),
	bind(Interrupt, Screen, "interrupt", 0, "ctrl+c", "ctrl+c"),
}

var byKey = func() map[string]*Binding {
	m := make(map[string]*Binding)
	for i := range table {
		for _, k := range table[i].Keys() {
			m[k] = &table[i]
		}
	}
	return m
}()

// Find returns what the key asks for, None if nothing. key is spelt as
// bubbletea spells it.
func Find(key string) Action {
	if b := byKey[key]; b != nil {
		return b.Action
	}
	return None
}

// Of returns the bindings of a group that have a line in the help, in its order.
func Of(g Group) []Binding {
	var out []Binding
	for _, b := range table {
		if b.Group == g && b.Help().Key != "" {
			out = append(out, b)
		}
	}
	return out
}

// A Stage is how far a run is, as the key line sees it.
type Stage uint8

// The stages.
const (
	Sends  Stage = iota // every key means something
	Drains              // the load is given; what is open can be cut
	Over                // there is nothing but to look, restart and leave
)

// Line returns the bindings of the key line at a stage, the most important
// first.
func Line(at Stage) []Binding {
	var out []Binding
	if at == Sends {
		out = append(out, Binding{
			Binding: key.NewBinding(key.WithHelp("+ -", "rate")),
			Name:    "rate", Rank: 1,
		})
	}
	for _, b := range table {
		if b.Rank > 0 && b.at(at) {
			out = append(out, b)
		}
	}
	slices.SortStableFunc(out, func(a, b Binding) int { return a.Rank - b.Rank })
	return out
}

// at reports whether the binding has its place in the key line at a stage.
func (b *Binding) at(s Stage) bool {
	switch b.Action {
	case Cut:
		return s == Drains
	case Mode:
		return s != Over
	case Restart:
		return true
	}
	return s == Sends || b.Group == View || b.Group == Screen
}
