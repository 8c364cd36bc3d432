package lang

// Notes: what the ledger, the run and the probes have to tell. In comments,
// the fields of each sentence; those in brackets may be absent. {lane},
// {target}, {model}, {board} and {probe} are names.
const (
	NoteSendingBegan   ID = "sending-began"
	NoteSendingEnded   ID = "sending-ended" // due, open
	NoteDrained        ID = "drained"       // [after]
	NoteTargetGone     ID = "target-gone"   // target, class, [text]
	NoteTargetBack     ID = "target-back"   // target, [after]
	NoteRate           ID = "rate"          // [lane], [from], to
	NoteScale          ID = "scale"         // [lane], [from], to: factors on a shape or a trace
	NoteSlots          ID = "slots"         // [lane], [from], to
	NoteBurst          ID = "burst"         // [lane], n
	NoteMark           ID = "mark"          // [name]
	NoteTarget         ID = "target"        // [lane], target
	NoteTargetAll      ID = "target-all"    // [lane]
	NoteTargetFailed   ID = "target-failed" // target, why
	NotePoolWithout    ID = "pool-without"  // [lane], model, targets
	NoteModel          ID = "model"         // [lane], model
	NoteModelLoading   ID = "model-loading" // [lane], model
	NoteModelFailed    ID = "model-failed"  // [lane], model, why
	NoteArrivals       ID = "arrivals"      // [lane], [from], to: names of arrivals
	NotePaused         ID = "paused"        // [lane]
	NoteResumed        ID = "resumed"       // [lane], [after]
	NoteMode           ID = "mode"          // [board], [from], to
	NoteModeFailed     ID = "mode-failed"   // [board], [to], why
	NoteCut            ID = "cut"           // n
	NoteDriverLate     ID = "driver-late"   // lag, limit
	NoteDriverOnTime   ID = "driver-on-time"
	NoteHopeless       ID = "hopeless"        // class, text
	NoteTooManyOpen    ID = "too-many-open"   // n
	NoteNearCeiling    ID = "near-ceiling"    // text
	NoteDrainOver      ID = "drain-over"      // after
	NoteStalled        ID = "stalled"         // for
	NoteRecordFailed   ID = "record-failed"   // why
	NoteProbeLost      ID = "probe-lost"      // probe, why
	NoteProbeBack      ID = "probe-back"      // probe, [after]
	NoteCommandRefused ID = "command-refused" // do: name of a command, why
	NoteRestart        ID = "restart"         // [run]
	NoteRestarted      ID = "restarted"       // run, [file]
	NoteFirstFailure   ID = "first-failure"   // class, [target], [text]
)

// Headings of columns and labels of figures; short, for screen and report.
const (
	HeadSecond      ID = "head-second"
	HeadOpenDue     ID = "head-open-due"
	HeadEarlier     ID = "head-earlier"
	HeadThis        ID = "head-this"
	HeadDue         ID = "head-due"
	HeadSent        ID = "head-sent"
	HeadOK          ID = "head-ok"
	HeadFailed      ID = "head-failed"
	HeadShare       ID = "head-share"
	HeadIdle        ID = "head-idle"
	HeadOpen        ID = "head-open"
	HeadHeld        ID = "head-held"
	HeadInFlight    ID = "head-in-flight"
	HeadLastSent    ID = "head-last-sent"
	HeadSecondShort ID = "head-second-short"
	HeadFailedShort ID = "head-failed-short"
	HeadClock       ID = "head-clock"
	HeadLink        ID = "head-link"
	HeadOlder       ID = "head-older"
	HeadN           ID = "head-n"
	HeadMean        ID = "head-mean"
	HeadEnd         ID = "head-end"
	HeadMin         ID = "head-min"
	HeadMax         ID = "head-max"
	HeadP25         ID = "head-p25"
	HeadP50         ID = "head-p50"
	HeadP75         ID = "head-p75"
	HeadP90         ID = "head-p90"
	HeadP95         ID = "head-p95"
	HeadP99         ID = "head-p99"
	HeadLane        ID = "head-lane"
	HeadRate        ID = "head-rate"
	HeadOffered     ID = "head-offered"
	HeadThroughput  ID = "head-throughput"
	HeadBacklog     ID = "head-backlog"
	HeadOldest      ID = "head-oldest"
	HeadLag         ID = "head-lag"
	HeadService     ID = "head-service"
	HeadResponse    ID = "head-response"
	HeadDriver      ID = "head-driver"
	HeadMode        ID = "head-mode"
	HeadGPU         ID = "head-gpu"
	HeadMemory      ID = "head-memory"
	HeadLoad        ID = "head-load"
	HeadThreads     ID = "head-threads"
	HeadPower       ID = "head-power"
	HeadTemp        ID = "head-temp"
	HeadTotal       ID = "head-total"
)
