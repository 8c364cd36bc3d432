package runfile

import (
	"bytes"
	"encoding/json"
)

// members is an object that keeps the order of its keys.
type members[T any] []member[T]

type member[T any] struct {
	Key   string
	Value T
}

func (m members[T]) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, e := range m {
		value, err := json.Marshal(e.Value)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendString(b, e.Key), ':')
		b = append(b, value...)
	}
	return append(b, '}'), nil
}

func (m *members[T]) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return err // null
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		var value T
		if err := d.Decode(&value); err != nil {
			return err
		}
		*m = append(*m, member[T]{key.(string), value})
	}
	return nil
}
