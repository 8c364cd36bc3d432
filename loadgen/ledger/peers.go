package ledger

import "slices"

// OtherPeers stands for all addresses beyond the first 255.
const OtherPeers = "others"

const keepPeers = 256

// peers counts the addresses that answered.
type peers struct {
	list []Peer
	at   map[string]int // where each stands, once there are many
	last int            // the one that answered last
}

const manyPeers = 8

func (p *peers) add(addr string) {
	if addr == "" {
		return
	}
	if p.last >= len(p.list) || p.list[p.last].Addr != addr {
		p.last = p.find(addr)
	}
	p.list[p.last].OK++
}

// find returns where an address stands, and makes room for a new one.
func (p *peers) find(addr string) int {
	if i, ok := p.at[addr]; ok {
		return i
	}
	if p.at == nil {
		if i := slices.IndexFunc(p.list, func(x Peer) bool { return x.Addr == addr }); i >= 0 {
			return i
		}
	}
	n := len(p.list)
	switch n {
	case keepPeers:
		return keepPeers - 1
	case keepPeers - 1:
		addr = OtherPeers
	}
	p.list = append(p.list, Peer{Addr: addr})
	if n+1 > manyPeers {
		p.index()
	}
	return n
}

func (p *peers) index() {
	if p.at == nil {
		p.at = map[string]int{}
		for i := range p.list {
			p.at[p.list[i].Addr] = i
		}
	}
	p.at[p.list[len(p.list)-1].Addr] = len(p.list) - 1
}

// tally returns the lane's account with a target; one that is not of its setup
// joins the others.
func (b *book) tally(target int) *Tally {
	for i := range b.tallies {
		if b.tallies[i].Target == target {
			return &b.tallies[i]
		}
	}
	b.tallies = append(b.tallies, Tally{Target: target})
	return &b.tallies[len(b.tallies)-1]
}

func (t *Tally) step(e *Event) {
	switch {
	case e.Kind == Due:
		t.Due++
		t.Open++
	case e.Kind == Done && e.OK():
		t.Open--
		t.OK++
	case e.Kind == Done:
		t.Open--
		t.Failed++
	}
}
