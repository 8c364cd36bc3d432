package lang

// What the plain report prints while the run goes on, and at its end.
const (
	PlainSecond      ID = "plain-second"      // k, open, due, [cut]
	PlainSecondDone  ID = "plain-second-done" // as plain-second, where nothing is open
	PlainSecondLane  ID = "plain-second-lane" // lane, open, due
	PlainWaiting     ID = "plain-waiting"     // open
	PlainComplete    ID = "plain-complete"    // at
	PlainCutShort    ID = "plain-cut-short"   // at
	PlainGivenUp     ID = "plain-given-up"    // at, n
	PlainTarget      ID = "plain-target"      // target, url, protocol
	PlainLane        ID = "plain-lane"        // lane, model, due: how, [targets]
	PlainMix         ID = "plain-mix"         // mix, rate: of all lanes together
	PlainTrace       ID = "plain-trace"       // file, [hash]
	PlainPool        ID = "plain-pool"        // targets, balance
	PlainPoolShares  ID = "plain-pool-shares" // targets, balance
	PlainPoolRates   ID = "plain-pool-rates"  // targets, balance
	PlainPoolFor     ID = "plain-pool-for"    // pool, [lanes]
	PlainPayload     ID = "plain-payload"     // payload
	PlainLimits      ID = "plain-limits"      // limit, timeout
	PlainNoTimeout   ID = "plain-no-timeout"  // limit
	PlainEach        ID = "plain-each"        // limit
	PlainNoKeepAlive ID = "plain-no-keepalive"
	PlainDrain       ID = "plain-drain" // drain
	PlainNoDrain     ID = "plain-no-drain"
	PlainLength      ID = "plain-length"   // length
	PlainRequests    ID = "plain-requests" // requests
	PlainEither      ID = "plain-either"   // length, requests
	PlainEndless     ID = "plain-endless"
	PlainSeed        ID = "plain-seed" // seed
	PlainNothing     ID = "plain-nothing"
	PlainNote        ID = "plain-note"    // at, text
	TableSeconds     ID = "table-seconds" // [lane]
	TableCohorts     ID = "table-cohorts" // [lane]
	TableTotals      ID = "table-totals"  // [lane]
	TableEnds        ID = "table-ends"
	TableTargets     ID = "table-targets"
	TableFailures    ID = "table-failures"
	TableAsked       ID = "table-asked"
	TableAll         ID = "table-all" // stands for lane where all are meant
	LegendSeconds    ID = "legend-seconds"
	LegendCohorts    ID = "legend-cohorts"
	LegendLeftOut    ID = "legend-left-out" // ok, [lost: given up], n: that failed otherwise
	LegendThin       ID = "legend-thin"
	LegendAtLeast    ID = "legend-at-least"
	LegendOver       ID = "legend-over"
	LegendJoined     ID = "legend-joined"
	LegendEnds       ID = "legend-ends"
	LegendTargets    ID = "legend-targets"
	LegendIdle       ID = "legend-idle" // at
	LegendNotOver    ID = "legend-not-over"
	LegendClosed     ID = "legend-closed"
	LegendNoLag      ID = "legend-no-lag"
	TotalRequests    ID = "total-requests"
	TotalCount       ID = "total-count" // due, ok, failed, [inflight], [held]
	TotalFailed      ID = "total-failed"
	TotalFailedClass ID = "total-failed-class" // n, class
	TotalTime        ID = "total-time"
	TotalTimeParts   ID = "total-time-parts" // total, [sending], [paused], [draining]
	TotalEndedBy     ID = "total-ended-by"   // by
	TotalOffered     ID = "total-offered"
	TotalThroughput  ID = "total-throughput"
	TotalPhases      ID = "total-phases"     // all, [sending], [draining]
	TotalPerSecond   ID = "total-per-second" // rate
	TotalBacklog     ID = "total-backlog"
	TotalBacklogMost ID = "total-backlog-most" // n
	TotalBytes       ID = "total-bytes"
	TotalBytesBoth   ID = "total-bytes-both" // up, down
	TotalTargets     ID = "total-targets"
	TotalTarget      ID = "total-target"     // target, ok, [failed], [idle, share: in %]
	TargetLast       ID = "target-last"      // target, at
	TargetIdleFrom   ID = "target-idle-from" // target, from; follows target-last
	TargetFrom       ID = "target-from"      // target, from; follows target-idle-from
	TargetIdling     ID = "target-idling"    // target, share: in %, n, [spans: in seconds]
	TargetGone       ID = "target-is-gone"   // target, at
	FailureFirst     ID = "failure-first"
	FailureLast      ID = "failure-last"
	FailureSample    ID = "failure-sample" // at, i: its number, [lane], [target], [text]
	FailureOthers    ID = "failure-others" // n
	AskedKept        ID = "asked-kept"
	AskedMissed      ID = "asked-missed"
	AskedOpen        ID = "asked-open"
	AskedLine        ID = "asked-line"  // [lane], figure, op, limit, seen
	AskedShare       ID = "asked-share" // share, n, of: requests
	AskedOver        ID = "asked-over"  // value
	AskedNothing     ID = "asked-nothing"
	AskedNothingOK   ID = "asked-nothing-ok" // value
	AskedCensored    ID = "asked-censored"   // value
	DriverLag        ID = "driver-lag"       // p50, p99, max, unit, [cpu]
	DriverNoLag      ID = "driver-no-lag"    // why, [cpu]
	DriverLate       ID = "driver-was-late"  // lag: p99, limit
	DriverLateOnce   ID = "driver-late-once" // at
	DriverCores      ID = "driver-cores"     // mean, max, [of]
	DriverMost       ID = "driver-most"      // list: of the next ones
	DriverWait       ID = "driver-wait"      // x: s/s
	DriverFiles      ID = "driver-files"     // x, [of]
	DriverPorts      ID = "driver-ports"     // x, [of]
	DriverGC         ID = "driver-gc"        // x: in %
	DriverPause      ID = "driver-pause"     // span
	DriverThrottled  ID = "driver-throttled" // x: in %
	DriverStolen     ID = "driver-stolen"    // x: in %
	DriverSince      ID = "driver-since"     // since
	DriverMeanwhile  ID = "driver-meanwhile" // what: one of the causes
	TotalPeers       ID = "total-peers"
	TotalPeer        ID = "total-peer" // peer, ok
	TotalLate        ID = "total-late" // n
)

// What makes a driver late: the ids of [ledger.Cause].
const (
	DriverOwnCPU     ID = "driver-own-cpu"     // cores, of
	DriverGCPause    ID = "driver-gc-pause"    // pause
	DriverQuota      ID = "driver-cpu-quota"   // percent
	DriverCoresTaken ID = "driver-cores-taken" // wait: s/s, cores
	DriverCoreWait   ID = "driver-core-wait"   // wait: s/s
	DriverSteal      ID = "driver-steal"       // percent
)

// How the requests of a lane become due.
const (
	DueRate         ID = "due-rate"          // arrivals, rate
	DueWaits        ID = "due-waits"         // arrivals
	DueCounts       ID = "due-counts"        // rate, within: where in a second
	DueUniform      ID = "due-uniform"       // rate, every
	DueUniformCount ID = "due-uniform-count" // n, every
	DueUniformOnce  ID = "due-uniform-once"  // n, every
	DueBurst        ID = "due-burst"         // rate, every
	DueBurstCount   ID = "due-burst-count"   // n, every
	DueBurstOnce    ID = "due-burst-once"    // n
	DueClosed       ID = "due-closed"        // slots
	DueShape        ID = "due-shape"         // arrivals, shape, [scale]
	DueTrace        ID = "due-trace"         // [n], [scale]

	withinEven   ID = "within-even"
	withinBurst  ID = "within-burst"
	withinRandom ID = "within-random"
)
