package main

import "testing"

func TestRead(t *testing.T) {
	for _, tt := range []struct {
		name, out string
		want      said
	}{
		{
			"pileup",
			`{"end":11,"why":"done","total":{"due":500,"ok":498,"failed":2,"response":{"n":498,"mean":4,"p50":3.9,"p99":7.7}},"lanes":[]}`,
			said{3.9, 7.7, 500, 498, 2},
		},
		{"vegeta", `{"latencies":{"total":1,"50th":242000,"90th":3,"99th":491000}}`, said{P50: 242e-6, P99: 491e-6}},
		{
			"fortio",
			"{\"level\":\"info\"}\n{\n \"RunType\": \"HTTP\",\n \"DurationHistogram\": {\"Percentiles\": [{\"Percentile\": 50, \"Value\": 0.5}, {\"Percentile\": 99, \"Value\": 0.57}]}\n}\nand more",
			said{P50: 0.5, P99: 0.57},
		},
		{"hey", "  25% in 0.1 secs\n  50% in 1.7830 secs\n  99% in 1.7870 secs\n", said{P50: 1.783, P99: 1.787}},
		{"plow", `{"P50": "145.2µs", "P99": "1.776s"}`, said{P50: 145.2e-6, P99: 1.776}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, tool := range tools {
				if tool.name != tt.name {
					continue
				}
				if got, err := tool.read([]byte(tt.out)); err != nil || got != tt.want {
					t.Errorf("got %+v, %v; want %+v", got, err, tt.want)
				}
				if got, err := tool.read([]byte("killed")); err == nil {
					t.Errorf("read %+v in what is none", got)
				}
			}
		})
	}
}
