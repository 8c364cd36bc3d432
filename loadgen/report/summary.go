package report

import "encoding/json"

// Summary is what a run came to, for programs. Times are seconds from its
// start.
type Summary struct {
	Run          json.RawMessage `json:"run,omitempty"`
	End          Number          `json:"end,omitzero"`  // absent while the run goes on
	Why          string          `json:"why,omitempty"` // see [ledger.Snapshot]
	SendingEnded Number          `json:"sending_ended,omitzero"`
	Total        Total           `json:"total"`
	Lanes        []Lane          `json:"lanes"`
	Targets      []TargetState   `json:"targets"`
	Segments     []Segment       `json:"segments"`
	SLO          []Verdict       `json:"slo"`
	Driver       Driver          `json:"driver"`
	Findings     []struct{}      `json:"findings"`
}

// Total counts the requests of a lane, or of all. Rates are per second.
type Total struct {
	Due                int64            `json:"due"`
	OK                 int64            `json:"ok"`
	Failed             int64            `json:"failed"`
	Cut                int64            `json:"cut"`
	Offered            Number           `json:"offered,omitzero"`
	Throughput         Number           `json:"throughput,omitzero"`
	ThroughputSending  Number           `json:"throughput_sending,omitzero"`
	ThroughputDraining Number           `json:"throughput_draining,omitzero"`
	BacklogMax         Number           `json:"backlog_max,omitzero"` // at any instant of the closed seconds
	LastDone           Number           `json:"last_done,omitzero"`   // stamp; absent until all are done
	LastDoneAtLeast    Number           `json:"last_done_at_least,omitzero"`
	Response           Stats            `json:"response"`
	Service            Stats            `json:"service"`
	Lag                Stats            `json:"lag"`
	Fail               map[string]int64 `json:"fail"`
	Failures           []Failure        `json:"failures"`                 // to the last closed second, at most 64 kinds
	OtherFailures      int64            `json:"other_failures,omitempty"` // of further kinds
	BytesUp            int64            `json:"bytes_up"`
	BytesDown          int64            `json:"bytes_down"`
}

// Failure is the failed requests of one kind: of one class and code, and with
// texts that differ only in numbers.
type Failure struct {
	Class string        `json:"class"`
	Code  int           `json:"code,omitempty"` // HTTP or gRPC status
	Count int64         `json:"count"`
	First FailureSample `json:"first"`
	Last  FailureSample `json:"last"`
}

// FailureSample is one failed request.
type FailureSample struct {
	At     Number `json:"at"` // when it was done
	Lane   int    `json:"lane"`
	I      int64  `json:"i"` // its number within the lane
	Target string `json:"target"`
	Text   string `json:"text,omitempty"` // control characters escaped
}

// Lane is one lane.
type Lane struct {
	ID      int      `json:"id"`
	Name    string   `json:"name"`
	Total   Total    `json:"total"`
	Seconds []Second `json:"seconds"`
	Cohorts []Cohort `json:"cohorts"`
	// Older are the requests of cohorts up to its k that are not in the list,
	// because they were open for more than a quarter of an hour. With them the
	// cohorts of a run of up to a week hold all that was due.
	Older   *Cohort  `json:"older,omitempty"`
	Peers   []Peer   `json:"peers"`
	Targets []Target `json:"targets"`
}

// Second is what happened in one second, or, with a span, in that many.
type Second struct {
	K         int    `json:"k"`
	Span      int    `json:"span,omitempty"`
	Due       int64  `json:"due"`
	Sent      int64  `json:"sent"`
	OK        int64  `json:"ok"`
	Failed    int64  `json:"failed"`
	Backlog   int64  `json:"backlog"` // at its end, as the next four
	Held      int64  `json:"held"`
	InFlight  int64  `json:"in_flight"`
	OldLeft   int64  `json:"old_left"`
	ThisLeft  int64  `json:"this_left"`
	Peak      int64  `json:"backlog_max"` // the highest at any instant in it
	SentAllAt Number `json:"sent_all_at,omitzero"`
}

// Cohort is what became of the requests due in one second, or, with a span, in
// that many.
type Cohort struct {
	K      int
	Span   int // 1 is left out
	N      int64
	Left   int64
	Failed int64
	Stats  Stats // mean, min, quantiles, max
}

// MarshalJSON puts the statistics beside the counts.
func (c Cohort) MarshalJSON() ([]byte, error) {
	all := Stats{{"k", number(float64(c.K))}}
	if c.Span > 1 {
		all.add("span", number(float64(c.Span)))
	}
	all.add("n", number(float64(c.N)))
	all.add("left", number(float64(c.Left)))
	all.add("failed", number(float64(c.Failed)))
	return append(all, c.Stats...).MarshalJSON()
}

// Peer is an address that answered.
type Peer struct {
	Addr string `json:"addr"`
	OK   int64  `json:"ok"`
}

// Target is a lane's account with one of its targets.
type Target struct {
	Name   string `json:"name"`
	Due    int64  `json:"due"`
	Share  Number `json:"share,omitzero"` // of the lane's due, 0 to 1
	OK     int64  `json:"ok"`
	Failed int64  `json:"failed"`
	Open   int64  `json:"open"`
	Idle   Number `json:"idle,omitzero"` // of the target, whatever the lane
}

// TargetState is the account with one target of all lanes together, and when
// it had nothing to do: none of its requests was open.
type TargetState struct {
	Target
	LastDone        Number `json:"last_done,omitzero"` // stamp; absent until all are done
	LastDoneAtLeast Number `json:"last_done_at_least,omitzero"`
	Response        Stats  `json:"response"`

	Idles     Number      `json:"idles,omitzero"`      // how many times
	IdleShare Number      `json:"idle_share,omitzero"` // of the time from 0, 0 to 1
	Idling    [][2]Number `json:"idling"`              // from and to, the last 100 of 1 ms or more; to is null while it lasts
	// IdlingLeftOut is how many of idles are not listed: older ones, and shorter ones.
	IdlingLeftOut int64 `json:"idling_left_out,omitempty"`

	Gone   bool   `json:"gone,omitempty"`
	GoneAt Number `json:"gone_at,omitzero"` // last time
	BackAt Number `json:"back_at,omitzero"` // last time
}

// Segment is a stretch in which no setting changed.
type Segment struct {
	ID    int               `json:"id"`
	From  Number            `json:"from"`
	To    Number            `json:"to,omitzero"`
	By    string            `json:"by"`
	Lanes []Setting         `json:"lanes"`
	Modes map[string]string `json:"modes,omitempty"` // power modes by board
}

// Setting is what was in force for a lane in a segment, and how many requests
// became due.
type Setting struct {
	ID       int    `json:"id"`
	Model    string `json:"model"`
	Target   string `json:"target,omitempty"` // the only one that was sent to
	Arrivals string `json:"arrivals"`
	Rate     Number `json:"rate,omitzero"`   // absent where a shape, a trace, slots or a single count decide
	Scale    Number `json:"scale,omitzero"`  // factor on the rate of a shape or a trace
	Slots    int    `json:"slots,omitempty"` // closed loop: requests open at once
	Paused   bool   `json:"paused,omitempty"`
	Due      int64  `json:"due"`
}

// Verdict is how the run stands with one thing that was asked of it. Held is
// false while that is not Known; of the values there is at most one.
type Verdict struct {
	Text    string `json:"text"` // "p99<500ms"
	Lane    string `json:"lane,omitempty"`
	Known   bool   `json:"known"`
	Held    bool   `json:"held"`
	Value   Number `json:"value,omitzero"`
	AtLeast Number `json:"value_at_least,omitzero"` // it depends on requests that are open or were given up, or is a lower quantile that is missed already
	Over    Number `json:"value_over,omitzero"`     // it falls among timeouts and cut requests, above this
	Limit   Number `json:"limit"`
	Unit    string `json:"unit"` // of value and limit: "s", "share", "requests", "per_s"
	N       int64  `json:"n"`    // requests behind the value; of a backlog, seconds
	Thin    bool   `json:"thin,omitempty"`
}
