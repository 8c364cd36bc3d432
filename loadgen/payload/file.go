package payload

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// File reads a body that is sent as it is. It refuses a file that is empty or
// larger than [MaxBytes].
func File(path string) (*Payload, error) {
	b, err := readFile(path, MaxBytes)
	if err != nil {
		return nil, refuse("", "read body: %w", err)
	}
	if len(b) == 0 {
		return nil, refuse("give a file with the whole request", "body %s is empty", path)
	}
	return &Payload{Body: b, Given: path}, nil
}

func readFile(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if st, err := f.Stat(); err == nil && st.Size() > limit {
		return nil, overLimit(path, limit)
	}
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(b)) > limit {
		return nil, overLimit(path, limit)
	}
	return b, nil
}

func overLimit(path string, limit int64) error {
	return fmt.Errorf("%s is larger than %s bytes", path, thousands(limit))
}

func quote(b []byte, s string) []byte {
	q, err := json.Marshal(s)
	if err != nil { // a string always has a JSON form
		panic(err)
	}
	return append(b, q...)
}
