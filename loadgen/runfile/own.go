package runfile

import "dev.example/pileup/probes"

// ownPart is what a sample says of the process that read it: the driver.
type ownPart struct {
	CPU      *reading `json:"own_cpu_s,omitempty"`
	Cores    *reading `json:"own_cores,omitempty"` // busy
	CoresMax *reading `json:"own_cores_max,omitempty"`
	RSS      *reading `json:"own_rss_bytes,omitempty"`
	FDs      *reading `json:"own_fds,omitempty"`
	FDMax    *reading `json:"own_fds_max,omitempty"`

	CoreWait      *reading `json:"own_core_wait_s_per_s,omitempty"`
	Throttled     *reading `json:"own_throttled_percent,omitempty"` // of the periods
	ThrottledTime *reading `json:"own_throttled_s_per_s,omitempty"`
	SchedWait     *reading `json:"own_sched_wait_p99_s,omitempty"`

	GC         *reading `json:"own_gc_percent,omitempty"`
	GCs        *reading `json:"own_gc_cycles,omitempty"`
	GCPause    *reading `json:"own_gc_pause_max_s,omitempty"`
	HeapLive   *reading `json:"own_heap_live_bytes,omitempty"`
	Goroutines *reading `json:"own_goroutines,omitempty"`

	Ports        *reading `json:"own_ports,omitempty"`
	PortsWaiting *reading `json:"own_ports_waiting,omitempty"`
	PortMax      *reading `json:"own_ports_max,omitempty"`
}

func ownOf(p *probes.Process) ownPart {
	return ownPart{
		CPU: of(p.CPU, 1), Cores: of(p.Cores, 1), CoresMax: of(p.CoresMax, 1),
		RSS: of(p.RSS, 1), FDs: of(p.FDs, 1), FDMax: of(p.FDMax, 1),
		CoreWait: of(p.CoreWait, 1), Throttled: of(p.Throttled, 1), ThrottledTime: of(p.ThrottledTime, 1), SchedWait: of(p.SchedWait, 1),
		GC: of(p.GC, 1), GCs: of(p.GCs, 1), GCPause: of(p.GCPause, 1), HeapLive: of(p.HeapLive, 1), Goroutines: of(p.Goroutines, 1),
		Ports: of(p.Ports, 1), PortsWaiting: of(p.PortsWaiting, 1), PortMax: of(p.PortMax, 1),
	}
}

func (o *ownPart) process() probes.Process {
	return probes.Process{
		CPU: o.CPU.value(1), Cores: o.Cores.value(1), CoresMax: o.CoresMax.value(1),
		RSS: o.RSS.value(1), FDs: o.FDs.value(1), FDMax: o.FDMax.value(1),
		CoreWait: o.CoreWait.value(1), Throttled: o.Throttled.value(1), ThrottledTime: o.ThrottledTime.value(1), SchedWait: o.SchedWait.value(1),
		GC: o.GC.value(1), GCs: o.GCs.value(1), GCPause: o.GCPause.value(1), HeapLive: o.HeapLive.value(1), Goroutines: o.Goroutines.value(1),
		Ports: o.Ports.value(1), PortsWaiting: o.PortsWaiting.value(1), PortMax: o.PortMax.value(1),
	}
}
