package render

import (
	"bytes"
	"encoding/json"

	"headroom/analyze"
)

// marshal writes a capacity as indented JSON with sorted keys. Lists of numbers
// stand on one line: a series of a thousand points is one line, not a thousand.
func marshal(c *analyze.Capacity) ([]byte, error) {
	var compact bytes.Buffer
	e := json.NewEncoder(&compact)
	e.SetEscapeHTML(false)
	if err := e.Encode(c); err != nil {
		return nil, err
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, compact.Bytes(), "", "  "); err != nil {
		return nil, err
	}
	return joinNumbers(indented.Bytes()), nil
}

// joinNumbers takes the line breaks out of lists that hold only numbers and nulls
// in indented JSON.
func joinNumbers(in []byte) []byte {
	out := make([]byte, 0, len(in))
	for len(in) > 0 {
		line := in
		if i := bytes.IndexByte(in, '\n'); i >= 0 {
			line = in[:i+1]
		}
		in = in[len(line):]
		out = append(out, line...)
		if !bytes.HasSuffix(line, []byte("[\n")) {
			continue
		}
		if end := numbersEnd(in); end > 0 {
			out = out[:len(out)-1]
			for _, field := range bytes.Fields(in[:end]) {
				out = append(out, field...)
			}
			in = in[end:]
		}
	}
	return out
}

// numbersEnd returns the length of the lines up to and with the ] that ends a
// list of numbers and nulls, or 0 if the list holds anything else.
func numbersEnd(in []byte) int {
	n := 0
	for n < len(in) {
		line := in[n:]
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			line = line[:i]
		}
		s := bytes.TrimLeft(line, " ")
		switch {
		case bytes.HasPrefix(s, []byte("]")):
			return n + len(line) - len(s) + 1
		case len(s) == 0 || s[0] == '"' || s[0] == '{' || s[0] == '[' || s[0] == 't' || s[0] == 'f':
			return 0
		}
		n += len(line) + 1
	}
	return 0
}
