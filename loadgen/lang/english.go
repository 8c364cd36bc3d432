package lang

import "maps"

// English is the language of run files and of machine-readable output.
var English = add(&Catalogue{Tag: "en", Name: "English", says: english()})

func english() map[ID]string {
	all := make(map[ID]string)
	for _, part := range []map[ID]string{
		englishNotes, englishPlain, englishDue, englishHeads, englishScreen, englishKeys, englishWords,
	} {
		maps.Copy(all, part)
	}
	return all
}

var englishNotes = map[ID]string{
	NoteSendingBegan:   "sending began",
	NoteSendingEnded:   "sending ended: {due} due, {open} still open",
	NoteDrained:        "all requests are done[, {after} after sending ended]",
	NoteTargetGone:     "{target} is gone: {class}[ ({text})]",
	NoteTargetBack:     "{target} is back[ after {after}]",
	NoteRate:           "[{lane}: ]rate[ {from}/s →] {to}/s",
	NoteScale:          "[{lane}: ]shape[ ×{from} →] ×{to}",
	NoteSlots:          "[{lane}: ]closed loop of[ {from} →] {to}",
	NoteBurst:          "[{lane}: ]burst: {n} due at once",
	NoteMark:           "mark[ {name}]",
	NoteTarget:         "[{lane}: ]sends to {target} alone",
	NoteTargetAll:      "[{lane}: ]sends to all its targets",
	NoteTargetFailed:   "{target} cannot be sent to: {why}",
	NotePoolWithout:    "[{lane}: ]without {targets}: {model} is not there",
	NoteModel:          "[{lane}: ]model {model}",
	NoteModelLoading:   "[{lane}: ]preparing {model}; the present model is sent meanwhile",
	NoteModelFailed:    "[{lane}: ]{model} cannot be sent: {why}",
	NoteArrivals:       "[{lane}: ]arrivals[ {from:arrivals} →] {to:arrivals}",
	NotePaused:         "[{lane}: ]paused",
	NoteResumed:        "[{lane}: ]resumed[ after {after}]",
	NoteMode:           "[{board}: ]power mode[ {from} →] {to}",
	NoteModeFailed:     "[{board}: ]power mode[ {to}] not set: {why}",
	NoteDriverLate:     "pileup itself is late, up to {lag} where {limit} is allowed: not the endpoint's doing",
	NoteDriverOnTime:   "pileup is on time again",
	NoteHopeless:       "stopped: the first requests all failed alike: {class}: {text}",
	NoteNearCeiling:    "{text}",
	NoteDrainOver:      "not waiting any longer, {after} after sending ended",
	NoteStalled:        "pileup itself stood still for {for}: what was due is sent late",
	NoteCut:            "cut: {n} open {n|request|requests} given up",
	NoteRecordFailed:   "the recording stopped: {why}",
	NoteProbeLost:      "{probe}: no data: {why}",
	NoteProbeBack:      "{probe}: data again[ after {after}]",
	NoteCommandRefused: "{do:do} refused: {why}",
	NoteRestart:        "restarted[: run {run}]",
	NoteFirstFailure:   "first {class}[ from {target}][: {text}]",
}

var englishHeads = map[ID]string{
	HeadSecond:      "second",
	HeadOpenDue:     "open/due",
	HeadEarlier:     "earlier",
	HeadThis:        "this",
	HeadDue:         "due",
	HeadSent:        "sent",
	HeadOK:          "ok",
	HeadFailed:      "failed",
	HeadOpen:        "open",
	HeadHeld:        "held",
	HeadInFlight:    "in flight",
	HeadLastSent:    "last sent",
	HeadAllSent:     "all sent",
	HeadSecondShort: "sec",
	HeadFailedShort: "fail",
	HeadClock:       "clock",
	HeadLink:        "link",
	HeadOlder:       "older",
	HeadN:           "n",
	HeadMean:        "mean",
	HeadEnd:         "end",
	HeadMin:         "min",
	HeadMax:         "max",
	HeadP25:         "p25",
	HeadP50:         "p50",
	HeadP75:         "p75",
	HeadP90:         "p90",
	HeadP95:         "p95",
	HeadP99:         "p99",
	HeadLane:        "lane",
	HeadRate:        "rate",
	HeadOffered:     "offered",
	HeadThroughput:  "throughput",
	HeadBacklog:     "backlog",
	HeadOldest:      "oldest",
	HeadLag:         "lag",
	HeadService:     "service",
	HeadResponse:    "response",
	HeadDriver:      "driver",
	HeadMode:        "mode",
	HeadGPU:         "gpu",
	HeadMemory:      "memory",
	HeadLoad:        "load",
	HeadThreads:     "threads",
	HeadPower:       "power",
	HeadTemp:        "temp",
	HeadTotal:       "total",
}

var englishWords = map[ID]string{
	phaseReady:    "ready",
	phaseSending:  "sending",
	phasePaused:   "paused",
	phaseDraining: "draining",
	phaseDone:     "done",

	arrivalsConstant: "constant",
	arrivalsPoisson:  "Poisson",
	arrivalsCounts:   "Poisson counts",
	arrivalsUniform:  "uniform",
	arrivalsBurst:    "bursts",
	arrivalsClosed:   "closed loop",
	arrivalsTrace:    "trace",

	doRate:     "rate",
	doModel:    "model",
	doTarget:   "target",
	doArrivals: "arrivals",
	doBurst:    "burst",
	doMark:     "mark",
	doPause:    "pause",
	doResume:   "resume",
	doStop:     "stop",
	doCut:      "cut",
	doRestart:  "restart",
	doMode:     "power mode",
}
