package runfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"dev.example/pileup/loadgen/ledger"
)

type noteLine struct {
	T     string `json:"t"`
	At    stamp  `json:"at,omitzero"`
	Level string `json:"level,omitempty"` // absent: info
	ID    string `json:"id"`
	Args  args   `json:"args,omitempty"`
	Text  string `json:"text,omitempty"`
}

var levels = [...]string{ledger.Info: "", ledger.Attention: "attention", ledger.Bad: "bad"}

// args is an object that keeps its order and the types of its values: text,
// 12 an integer, 12.0 a float64, and a key that ends in "_s" a time.
type args []ledger.Arg

// span ends the key of a time.
const span = "_s"

func (a args) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for _, arg := range a {
		key, value := arg.Name, appendValue(nil, arg.Value)
		if value == nil {
			continue
		}
		if _, ok := arg.Value.(time.Duration); ok {
			key += span
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(appendString(b, key), ':')
		b = append(b, value...)
	}
	return append(b, '}'), nil
}

// appendValue appends what JSON has for v, nothing for what it cannot say.
func appendValue(b []byte, v any) []byte {
	switch v := v.(type) {
	case string:
		return appendString(b, v)
	case int64:
		return strconv.AppendInt(b, v, 10)
	case int:
		return strconv.AppendInt(b, int64(v), 10)
	case time.Duration:
		if v != ledger.Never {
			return appendStamp(b, v)
		}
	case float64:
		if v-v != 0 { // NaN, Inf
			return b
		}
		b = strconv.AppendFloat(b, v, 'g', -1, 64)
		if !bytes.ContainsAny(b, ".e") {
			b = append(b, ".0"...)
		}
	}
	return b
}

func (a *args) UnmarshalJSON(data []byte) error {
	return eachMember(data, func(key string, d *json.Decoder) error {
		var value any
		err := d.Decode(&value)
		if arg, ok := argOf(key, value); ok {
			*a = append(*a, arg)
		}
		return err
	})
}

// argOf makes an argument of a member; what a note cannot hold is skipped.
func argOf(key string, value any) (ledger.Arg, bool) {
	switch v := value.(type) {
	case string:
		return ledger.Arg{Name: key, Value: v}, true
	case json.Number:
		if name, ok := strings.CutSuffix(key, span); ok {
			var at stamp
			err := at.UnmarshalJSON([]byte(v))
			return ledger.Arg{Name: name, Value: time.Duration(at)}, err == nil
		}
		if n, err := v.Int64(); err == nil {
			return ledger.Arg{Name: key, Value: n}, true
		}
		x, err := v.Float64()
		return ledger.Arg{Name: key, Value: x}, err == nil
	}
	return ledger.Arg{}, false
}

func noteOf(n *ledger.Note, text string) noteLine {
	l := noteLine{T: "ev", At: stamp(n.At), ID: n.ID, Args: n.Args, Text: text}
	if int(n.Level) < len(levels) {
		l.Level = levels[n.Level]
	}
	return l
}

func (r *Reader) note(data []byte) (Record, error) {
	l := noteLine{At: never}
	if err := decode(data, &l); err != nil {
		return nil, err
	}
	if l.At == never {
		return nil, fmt.Errorf("an event without at")
	}
	level := max(0, slices.Index(levels[:], l.Level))
	return Note{ledger.Note{At: time.Duration(l.At), Level: ledger.Level(level), ID: l.ID, Args: l.Args}, l.Text}, nil
}
