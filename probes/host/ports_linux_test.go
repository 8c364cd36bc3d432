package host

import "testing"

func TestParseSockets(t *testing.T) {
	const v4 = "sockets: used 9\nTCP: inuse 27 orphan 1 tw 6 alloc 29 mem 3\nUDP: inuse 5 mem 1\n"
	tests := []struct {
		name, text, text6 string
		want              sockets
		ok                bool
	}{
		{"both families", v4, "TCP6: inuse 4\nUDP6: inuse 1\n", sockets{31, 6}, true},
		{"no IPv6", v4, "", sockets{27, 6}, true},
		{"another order", "TCP: tw 6 inuse 27", "", sockets{27, 6}, true},
		{"no line", "UDP: inuse 5", "", sockets{}, false},
		{"no word", "TCP: inuse 27 orphan 1", "", sockets{}, false},
		{"no number", "TCP: inuse 27 tw", "", sockets{}, false},
		{"negative", "TCP: inuse -1 tw 0", "", sockets{}, false},
		{"no line of IPv6", v4, "UDP6: inuse 1", sockets{}, false},
		{"empty", "", "", sockets{}, false},
	}
	for _, tt := range tests {
		got, err := parseSockets(tt.text, tt.text6)
		if got != tt.want || (err == nil) != tt.ok {
			t.Errorf("%s: %v, %v, want %v, ok %v", tt.name, got, err, tt.want, tt.ok)
		}
	}
}

func FuzzParseSockets(f *testing.F) {
	f.Add("sockets: used 9\nTCP: inuse 27 orphan 1 tw 6 alloc 29 mem 3\n", "TCP6: inuse 4\nUDP6: inuse 1\n")
	f.Fuzz(func(t *testing.T, text, text6 string) {
		if got, err := parseSockets(text, text6); err == nil && !(got.open >= 0 && got.waiting >= 0) {
			t.Fatalf("%q %q: %v", text, text6, got)
		}
	})
}
