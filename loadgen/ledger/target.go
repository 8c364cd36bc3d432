package ledger

// target is what is known of one endpoint.
type target struct {
	id   int
	name string // "" if the setup does not know it
	health
}

func newTarget(id int, name string) *target {
	return &target{id: id, name: name, health: health{goneAt: Never, backAt: Never}}
}

// target returns what is known of the target of that id. One that the setup
// does not know joins the others.
func (l *Ledger) target(id int) *target {
	if id >= 0 && id < len(l.targets) && l.targets[id].id == id {
		return l.targets[id]
	}
	for _, t := range l.targets {
		if t.id == id {
			return t
		}
	}
	t := newTarget(id, "")
	l.targets = append(l.targets, t)
	return t
}
