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
	return eachMember(data, func(key string, d *json.Decoder) error {
		var value T
		err := d.Decode(&value)
		*m = append(*m, member[T]{key, value})
		return err
	})
}

// eachMember calls one for each key of an object, in their order, to decode the
// value behind it; never for null. A number decoded into any is a json.Number.
func eachMember(data []byte, one func(key string, d *json.Decoder) error) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return err
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		if err := one(key.(string), d); err != nil {
			return err
		}
	}
	return nil
}
