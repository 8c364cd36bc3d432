//go:build race

package httpconn

// The race detector makes sync.Pool forget at random.
const pooled = false
