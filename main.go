// Pileup drives load at inference endpoints and shows, live in a terminal, why
// requests pile up. See README.md, and `pileup -h`.
package main

import (
	"os"

	"dev.example/pileup/loadgen/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
