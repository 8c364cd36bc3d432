package lang

// What the plain report prints while the run goes on, and at its end.
const (
	PlainSecond      ID = "plain-second"      // k, open, due
	PlainSecondLane  ID = "plain-second-lane" // lane, open, due
	PlainWaiting     ID = "plain-waiting"     // open
	PlainComplete    ID = "plain-complete"    // at
	PlainTarget      ID = "plain-target"      // target, url, protocol
	PlainLane        ID = "plain-lane"        // lane, model, arrivals, rate, [targets]
	PlainLaneWaits   ID = "plain-lane-waits"  // lane, model, arrivals
	PlainPayload     ID = "plain-payload"     // payload
	PlainLimits      ID = "plain-limits"      // limit, timeout
	PlainNoTimeout   ID = "plain-no-timeout"  // limit
	PlainLength      ID = "plain-length"      // length
	PlainRequests    ID = "plain-requests"    // requests
	PlainEither      ID = "plain-either"      // length, requests
	PlainEndless     ID = "plain-endless"
	PlainSeed        ID = "plain-seed" // seed
	PlainNothing     ID = "plain-nothing"
	PlainNote        ID = "plain-note"    // at, text
	TableSeconds     ID = "table-seconds" // [lane]
	TableCohorts     ID = "table-cohorts" // [lane]
	TableTotals      ID = "table-totals"  // [lane]
	TableAll         ID = "table-all"     // stands for lane where all are meant
	LegendSeconds    ID = "legend-seconds"
	LegendCohorts    ID = "legend-cohorts"
	LegendThin       ID = "legend-thin"
	LegendAtLeast    ID = "legend-at-least"
	LegendOver       ID = "legend-over"
	LegendJoined     ID = "legend-joined"
	TotalRequests    ID = "total-requests"
	TotalCount       ID = "total-count" // due, ok, failed, [inflight], [held]
	TotalFailed      ID = "total-failed"
	TotalFailedClass ID = "total-failed-class" // n, class
	TotalTime        ID = "total-time"
	TotalTimeParts   ID = "total-time-parts" // total, [sending], [paused], [draining]
	TotalOffered     ID = "total-offered"
	TotalThroughput  ID = "total-throughput"
	TotalPhases      ID = "total-phases"     // all, [sending, draining]
	TotalPerSecond   ID = "total-per-second" // rate
	TotalBytes       ID = "total-bytes"
	TotalBytesBoth   ID = "total-bytes-both" // up, down
	TotalTargets     ID = "total-targets"
	TotalTarget      ID = "total-target" // target, ok, [failed]
	TotalPeers       ID = "total-peers"
	TotalPeer        ID = "total-peer" // peer, ok
	TotalLate        ID = "total-late" // n
)
