package render

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"strings"
)

// Seal is the end of a capacity.json: who wrote it, and a checksum of every line
// before it, so that a line that was changed since can be named. It guards
// against slips and forgotten edits, not against forgery.
type Seal struct {
	By   string // version of headroom, may be empty
	Sums []uint32
	// Body is what the sums are of: the file up to the seal.
	Body []byte
	// Line is where the seal begins, counted from 1.
	Line int
}

// sealKey begins the seal; it stands on a line of its own.
const sealKey = "  \"seal\": {\n"

type sealJSON struct {
	By    string `json:"by"`
	Lines string `json:"lines"` // CRC-32C of each line, big endian, base64
	Sum   uint32 `json:"sum"`   // CRC-32C of by and lines
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Sums returns the checksum of each line, without its line end.
func Sums(body []byte) []uint32 {
	var out []uint32
	for line := range bytes.Lines(body) {
		out = append(out, crc32.Checksum(bytes.TrimRight(line, "\r\n"), castagnoli))
	}
	return out
}

func (s sealJSON) sum() uint32 { return crc32.Checksum([]byte(s.By+"\n"+s.Lines), castagnoli) }

// seal adds the seal to indented JSON that ends in a closing brace and a newline.
func seal(data []byte, by string) []byte {
	body := append(bytes.TrimSuffix(data, []byte("\n}\n")), ",\n"...)
	sums := Sums(body)
	raw := make([]byte, 0, 4*len(sums))
	for _, v := range sums {
		raw = binary.BigEndian.AppendUint32(raw, v)
	}
	s := sealJSON{By: by, Lines: base64.StdEncoding.EncodeToString(raw)}
	name, _ := json.Marshal(by) // a string always marshals
	return fmt.Appendf(body, "%s    \"by\": %s,\n    \"lines\": %q,\n    \"sum\": %d\n  }\n}\n", sealKey, name, s.Lines, s.sum())
}

// ReadSeal finds the seal of a capacity.json. ok is false if there is none, and
// the seal has no sums if it was itself changed.
func ReadSeal(data []byte) (s Seal, ok bool) {
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	at := bytes.LastIndex(data, []byte("\n"+sealKey))
	if at < 0 {
		return s, false
	}
	s.Body = data[:at+1]
	s.Line = bytes.Count(s.Body, []byte("\n")) + 1
	var read struct {
		Seal sealJSON `json:"seal"`
	}
	if json.Unmarshal([]byte("{"+strings.TrimSpace(string(data[at+1:]))), &read) != nil || read.Seal.sum() != read.Seal.Sum {
		return s, true
	}
	raw, err := base64.StdEncoding.DecodeString(read.Seal.Lines)
	if err != nil {
		return s, true
	}
	s.By = read.Seal.By
	for ; len(raw) >= 4; raw = raw[4:] {
		s.Sums = append(s.Sums, binary.BigEndian.Uint32(raw))
	}
	return s, true
}
