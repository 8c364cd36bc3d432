//go:build !unix

package cli

// defaultLimit is how many requests may be in flight at once.
func defaultLimit() int { return 4096 }

// mostLimit is how many requests may be in flight at once at all.
func mostLimit() int { return 1 << 20 }
