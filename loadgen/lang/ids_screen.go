package lang

// Titles of panes, and what stands at the right end of their upper border.
const (
	PaneBacklog  ID = "pane-backlog"
	PaneResponse ID = "pane-response"
	PaneService  ID = "pane-service"
	PaneCores    ID = "pane-cores"
	PaneBoard    ID = "pane-board"
	PaneLedger   ID = "pane-ledger"
	PaneEvents   ID = "pane-events"
	PaneLanes    ID = "pane-lanes"
	PaneHelp     ID = "pane-help"
	PaneModels   ID = "pane-models"
	PaneModes    ID = "pane-modes"
	PaneTargets  ID = "pane-targets"

	SideBacklog   ID = "side-backlog"
	SideResponse  ID = "side-response"
	SideOpen      ID = "side-open"
	SideCores     ID = "side-cores"
	SideLedger    ID = "side-ledger"
	SideSimulated ID = "side-simulated"
	SideLog       ID = "side-log"
	SideLinear    ID = "side-linear"
)

// Words and short lines of the screen.
const (
	SayDriverLate    ID = "say-driver-late"
	SayDriverWasLate ID = "say-driver-was-late"
	SayLate          ID = "say-late"
	SayLagWithin     ID = "say-lag-within"
	SayLimit         ID = "say-limit"
	SayOf            ID = "say-of" // n
	SayCoresUnit     ID = "say-cores-unit"
	SayRecording     ID = "say-recording"
	SayRecordStopped ID = "say-record-stopped"
	SayFrozen        ID = "say-frozen"  // [at]
	SayLoading       ID = "say-loading" // model
	SayPending       ID = "say-pending"
	SayFirstSample   ID = "say-first-sample"
	SayNoEvents      ID = "say-no-events"
	SayNoSecond      ID = "say-no-second"
	SayGap           ID = "say-gap" // since, why
	SayOffline       ID = "say-offline"
	SayAllLanes      ID = "say-all-lanes"
	SayWindow        ID = "say-window"  // span
	SayRefused       ID = "say-refused" // why
	SayRunDraining   ID = "say-run-draining"
	SayRunOver       ID = "say-run-over"
	SayInterrupted   ID = "say-interrupted"
	SayStopFirst     ID = "say-stop-first"
	SayOneLane       ID = "say-one-lane"
	SayNoPane        ID = "say-no-pane" // n
	SayDrained       ID = "say-drained"
	SayNoneDue       ID = "say-none-due"
	SayFirstAnswer   ID = "say-first-answer"
	SayNoBoardRead   ID = "say-no-board-read"
	SayNotBegun      ID = "say-not-begun"
	SayOfSecond      ID = "say-of-second" // k
	SayOfAll         ID = "say-of-all"
	SayPanesNeed     ID = "say-panes-need"
	SayScrolled      ID = "say-scrolled" // n
	SaySendingEnded  ID = "say-sending-ended"
	SayBack          ID = "say-back"
	SayEachLane      ID = "say-each-lane"
	SayPickLane      ID = "say-pick-lane"
	SayPausedLanes   ID = "say-paused-lanes" // n, all
	SayAsked         ID = "say-asked"        // lane, do: name of a command
	SaySlots         ID = "say-slots"        // n
	SaySlotsUnit     ID = "say-slots-unit"   // n, which stands before it
	SayClosed        ID = "say-closed"       // n
	SayClosedShort   ID = "say-closed-short" // n
	SayOpenAtOnce    ID = "say-open-at-once"
	SayShape         ID = "say-shape"
	SayTrace         ID = "say-trace"
	SayShapes        ID = "say-shapes"
	SayHidesStalls   ID = "say-hides-stalls"
	SayClosedWord    ID = "say-closed-word"
	SayJustChanged   ID = "say-just-changed"
	SayChanged       ID = "say-changed"
	SayEnded         ID = "say-ended"
	SayNoArrivals    ID = "say-no-arrivals"
	SayOneTarget     ID = "say-one-target" // target
	SayAllTargets    ID = "say-all-targets"
	SayGone          ID = "say-gone"
	SayNotInPool     ID = "say-not-in-pool"
	SayTargets       ID = "say-targets"        // n
	SayOneOf         ID = "say-one-of"         // n
	SayDrainingLeft  ID = "say-draining-left"  // [open], left
	SayDrainingAfter ID = "say-draining-after" // [open], after
	SayNoSuspend     ID = "say-no-suspend"
	SaySuspended     ID = "say-suspended"
	HeadTotalShort   ID = "head-total-short"
	HeadOwn          ID = "head-own"
	HeadWait         ID = "head-wait"
	HeadFDs          ID = "head-fds"
	HeadPorts        ID = "head-ports"
	HeadPortsOfAll   ID = "head-ports-of-all"
	HeadGC           ID = "head-gc"

	SayAllShort       ID = "say-all-short"
	SayReturned       ID = "say-returned"
	SayAlready        ID = "say-already" // what
	SaySLO            ID = "say-slo"
	SayInAll          ID = "say-in-all"
	SayOver           ID = "say-over" // span
	HeadOKRate        ID = "head-ok-rate"
	HeadServiceShort  ID = "head-service-short"
	SayCountOnce      ID = "say-count-once"       // n, every
	SayCountOnceShort ID = "say-count-once-short" // n, every
	SayCountEach      ID = "say-count-each"       // n, every
	SayCountEachShort ID = "say-count-each-short" // n, every
	SayBurstOnce      ID = "say-burst-once"       // n
	SayBurstEach      ID = "say-burst-each"       // n, every
	SayCountsInAll    ID = "say-counts-in-all"    // n
	SayCounted        ID = "say-counted"          // [lane], n
	SayCountedOnce    ID = "say-counted-once"     // [lane], n
	SayTurned         ID = "say-turned"           // lane, from, to: with their units
	SayTurnedToo      ID = "say-turned-too"       // lane, from, to: with their units
)

// Questions and entry lines.
const (
	AskQuit     ID = "ask-quit" // [open]
	AskCut      ID = "ask-cut"  // [open]
	AskRestart  ID = "ask-restart"
	AskHighRate ID = "ask-high-rate" // [lane], to, limit: with their units
	AskRate     ID = "ask-rate"      // [lane]
	AskRateSum  ID = "ask-rate-sum"
	AskRateNow  ID = "ask-rate-now" // [lane]
	AskSlots    ID = "ask-slots"    // [lane]
	AskBurst    ID = "ask-burst"    // [lane]
	AskYesNo    ID = "ask-yes-no"
	AskEnterEsc ID = "ask-enter-esc"
	AskNoNumber ID = "ask-no-number" // text, most
	AskNoCount  ID = "ask-no-count"  // text, most
	AskNoModes  ID = "ask-no-modes"
	AskNoModels ID = "ask-no-models" // [model]
	AskPick     ID = "ask-pick"
)

// Keys, and words of the driver's line: in the key line and in a help with little
// room the short word, in the help the sentence.
const (
	KeyRate       ID = "key-rate"
	KeySlots      ID = "key-slots"
	KeyRateUp     ID = "key-rate-up"
	KeyRateDown   ID = "key-rate-down"
	KeyRateUp10   ID = "key-rate-up-10"
	KeyRateDown10 ID = "key-rate-down-10"
	KeyDouble     ID = "key-double"
	KeyHalve      ID = "key-halve"
	KeyTypeRate   ID = "key-type-rate"
	KeyNextModel  ID = "key-next-model"
	KeyPickModel  ID = "key-pick-model"
	KeyArrivals   ID = "key-arrivals"
	KeyPickTarget ID = "key-pick-target"
	KeyBurst      ID = "key-burst"
	KeyMark       ID = "key-mark"
	KeyPause      ID = "key-pause"
	KeyResume     ID = "key-resume"
	KeyStop       ID = "key-stop"
	KeyCut        ID = "key-cut"
	KeyRestart    ID = "key-restart"
	KeyLane       ID = "key-lane"
	KeyAllLanes   ID = "key-all-lanes"
	KeyFocus      ID = "key-focus"
	KeyZoom       ID = "key-zoom"
	KeyScroll     ID = "key-scroll"
	KeyFreeze     ID = "key-freeze"
	KeyWindow     ID = "key-window"
	KeyService    ID = "key-service"
	KeyScale      ID = "key-scale"
	KeyTheme      ID = "key-theme"
	KeyMode       ID = "key-mode"
	KeyBack       ID = "key-back"
	KeyHelp       ID = "key-help"
	KeyQuit       ID = "key-quit"
	KeySuspend    ID = "key-suspend"
	KeyInterrupt  ID = "key-interrupt"

	HelpRate       ID = "help-rate"
	HelpRateUp     ID = "help-rate-up"
	HelpRateDown   ID = "help-rate-down"
	HelpRateUp10   ID = "help-rate-up-10"
	HelpRateDown10 ID = "help-rate-down-10"
	HelpDouble     ID = "help-double"
	HelpHalve      ID = "help-halve"
	HelpTypeRate   ID = "help-type-rate"
	HelpNextModel  ID = "help-next-model"
	HelpPickModel  ID = "help-pick-model"
	HelpArrivals   ID = "help-arrivals"
	HelpPickTarget ID = "help-pick-target"
	HelpBurst      ID = "help-burst"
	HelpMark       ID = "help-mark"
	HelpPause      ID = "help-pause"
	HelpStop       ID = "help-stop"
	HelpCut        ID = "help-cut"
	HelpRestart    ID = "help-restart"
	HelpLane       ID = "help-lane"
	HelpAllLanes   ID = "help-all-lanes"
	HelpFocus      ID = "help-focus"
	HelpZoom       ID = "help-zoom"
	HelpScroll     ID = "help-scroll"
	HelpFreeze     ID = "help-freeze"
	HelpWindow     ID = "help-window"
	HelpService    ID = "help-service"
	HelpScale      ID = "help-scale"
	HelpTheme      ID = "help-theme"
	HelpMode       ID = "help-mode"
	HelpBack       ID = "help-back"
	HelpHelp       ID = "help-help"
	HelpQuit       ID = "help-quit"
	HelpSuspend    ID = "help-suspend"
	HelpInterrupt  ID = "help-interrupt"

	GroupLoad   ID = "group-load"
	GroupRun    ID = "group-run"
	GroupView   ID = "group-view"
	GroupScreen ID = "group-screen"
	GroupDriver ID = "group-driver"

	KeyOwn    ID = "key-own"
	KeyWait   ID = "key-wait"
	KeyFDs    ID = "key-fds"
	KeyPorts  ID = "key-ports"
	KeyGC     ID = "key-gc"
	HelpOwn   ID = "help-own"
	HelpWait  ID = "help-wait"
	HelpFDs   ID = "help-fds"
	HelpPorts ID = "help-ports"
	HelpGC    ID = "help-gc"
)

// Words for names of other packages; see [Catalogue.Phase],
// [Catalogue.Arrivals] and [Catalogue.Do].
const (
	phaseReady    ID = "phase-ready"
	phaseSending  ID = "phase-sending"
	phasePaused   ID = "phase-paused"
	phaseDraining ID = "phase-draining"
	phaseDone     ID = "phase-done"

	arrivalsConstant ID = "arrivals-constant"
	arrivalsPoisson  ID = "arrivals-poisson"
	arrivalsCounts   ID = "arrivals-poisson-counts"
	arrivalsUniform  ID = "arrivals-uniform"
	arrivalsBurst    ID = "arrivals-burst"
	arrivalsClosed   ID = "arrivals-closed"
	arrivalsTrace    ID = "arrivals-trace"

	doRate     ID = "do-rate"
	doTarget   ID = "do-target"
	doBurst    ID = "do-burst"
	doMark     ID = "do-mark"
	doModel    ID = "do-model"
	doArrivals ID = "do-arrivals"
	doPause    ID = "do-pause"
	doResume   ID = "do-resume"
	doStop     ID = "do-stop"
	doCut      ID = "do-cut"
	doRestart  ID = "do-restart"
	doMode     ID = "do-mode"
)
