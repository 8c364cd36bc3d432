package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/loadgen/ledger"
	"dev.example/pileup/loadgen/study"
	"dev.example/pileup/loadgen/target/httpconn"
)

// ceiling says by the kept self-test that a run asks for much of this machine;
// "" if it does not, or if nothing is known. The setup is one that was prepared.
func ceiling(ctx context.Context, setup *ledger.Setup) string {
	t := keptSelfTest(ctx)
	if t == nil {
		return ""
	}
	d := t.Demand(setup, sentBy)
	if d == nil {
		return ""
	}
	return demandText(d)
}

// sentBy is the path that a protocol is sent by, "" if none is measured.
func sentBy(protocol string) string {
	switch {
	case strings.HasSuffix(protocol, "+https"):
		return httpconn.ViaNetHTTP
	case strings.HasSuffix(protocol, "+http"):
		return httpconn.ViaRaw
	}
	return ""
}

// demandText is one sentence: "300/s of up to 3.15 MB is 71 % of …".
func demandText(d *study.Demand) string {
	others := ""
	if d.Others >= muchOthers {
		others = fmt.Sprintf(", when other programs kept %s cores busy", lang.Number(d.Others))
	}
	return fmt.Sprintf("%s/s of up to %s is %.0f %% of what this machine could drive in its self-test of %s%s: what is measured may be the driver",
		lang.Number(d.Rate), lang.Bytes(d.Body), 100*d.Share, d.Found.Local().Format(time.DateOnly), others)
}
