package host

import (
	"slices"
	"strconv"
	"strings"
)

// gaps collects which cores lack one thing, by reason, so that 128 cores
// without a clock are one line and not 128.
type gaps struct {
	what  string // "clock"
	whys  []string
	cores [][]int // ids by index in whys, ascending
}

// add notes that core id lacks it. Ids come in ascending order.
func (g *gaps) add(id int, why string) {
	i := slices.Index(g.whys, why)
	if i < 0 {
		i = len(g.whys)
		g.whys, g.cores = append(g.whys, why), append(g.cores, nil)
	}
	g.cores[i] = append(g.cores[i], id)
}

// lackCores notes what g collected: "core clock" if all cores that are online
// lack it for one reason, else "core 3 clock" and "cores 3-5 clock".
func (s *sample) lackCores(g gaps) {
	online := 0
	for _, c := range s.Cores {
		if c.Online {
			online++
		}
	}
	for i, why := range g.whys {
		ids := g.cores[i]
		switch len(ids) {
		case online:
			s.lacks("core "+g.what, why)
		case 1:
			s.lacks("core "+strconv.Itoa(ids[0])+" "+g.what, why)
		default:
			s.lacks("cores "+coreList(ids)+" "+g.what, why)
		}
	}
}

// coreList writes ascending ids as the kernel does: "0,3-5".
func coreList(ids []int) string {
	var b strings.Builder
	for i := 0; i < len(ids); {
		end := i
		for end+1 < len(ids) && ids[end+1] == ids[end]+1 {
			end++
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(ids[i]))
		if end > i {
			b.WriteString("-" + strconv.Itoa(ids[end]))
		}
		i = end + 1
	}
	return b.String()
}
