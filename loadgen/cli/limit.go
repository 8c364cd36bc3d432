package cli

// spareFiles are descriptors that a run takes for everything but connections:
// its recording, its terminal, what the probes keep open.
const spareFiles = 48

// mostInFlight bounds the default where descriptors do not. A request in flight
// takes up to 100 kB and one of 28,000 ports; long before those run out,
// finding a free one makes the driver late.
const mostInFlight = 8192

// leastInFlight is what a run cannot do with less: one request to a server of our
// own, which is at the other end.
const leastInFlight = 2

// mostLimit is how many requests may be in flight at once at all: one
// descriptor each, of those that are free.
func mostLimit() int { return max(leastInFlight, freeFiles()-spareFiles) }

// defaultLimit is how many requests may be in flight at once unless told
// otherwise.
func defaultLimit() int { return min(mostLimit(), mostInFlight) }

// enoughFiles refuses to begin what has too few descriptors to connect.
func enoughFiles() error {
	const least = spareFiles + leastInFlight
	if n := freeFiles(); n < least {
		return refuse("raise the limit of descriptors: ulimit -n 4096",
			"too few descriptors: this process may open %d more, and needs %d", n, least)
	}
	return nil
}
