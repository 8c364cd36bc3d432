//go:build !race

package httpconn

const pooled = true
