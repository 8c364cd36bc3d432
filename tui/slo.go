package tui

import "dev.example/pileup/loadgen/ledger"

// sloBasis is what verdicts are of: while it is equal, so are they.
type sloBasis struct {
	run, closed int
	phase       ledger.Phase
}

// judge finds out how the run that is shown stands with what is asked of it: once
// a second, for it walks through all that is known of the run.
func (m *Model) judge() {
	s := m.shown()
	if s == nil || len(m.slos) == 0 {
		return
	}
	basis := sloBasis{s.Run, s.Closed, s.Phase}
	if basis == m.judged && len(m.view.Asked) > 0 {
		return
	}
	m.judged, m.view.Asked = basis, nil
	for _, slo := range m.slos {
		m.view.Asked = append(m.view.Asked, slo.Check(s))
	}
}
