package stat

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// ErrOldHistogram is wrapped by the error for a payload of an encoding before
// V2, which no library here reads. HdrHistogram 2.1 and later (Java) read it and
// write V2.
var ErrOldHistogram = errors.New("an encoding of HdrHistogram before V2")

// The cookies that payloads begin with, without the bits that tell the word size.
const (
	cookieV2 = 0x1c849304
	cookieV1 = 0x1c849302
	cookieV0 = 0x1c849309
	wordBits = 0xf0
)

// maxPayload bounds the base64 text of one histogram.
const maxPayload = 16 << 20

// DecodeHistogram decodes one payload of a histogram log: a compressed V2
// histogram in base64, as HistogramLogWriter writes it. The geometry is checked
// before anything of its size is allocated. A recorder that limits values to
// the highest that it covers leaves them in the bucket of Resolution.Highest.
func DecodeHistogram(payload []byte) (*Histogram, error) {
	if len(payload) > maxPayload {
		return nil, fmt.Errorf("a histogram of %d bytes: at most %d are read", len(payload), maxPayload)
	}
	res, err := payloadResolution(payload)
	if err != nil {
		return nil, err
	}
	if err := res.check(); err != nil {
		return nil, err
	}
	h, err := hdrhistogram.Decode(payload)
	if err != nil {
		return nil, fmt.Errorf("a damaged histogram: %w", err)
	}
	if n := h.TotalCount(); n > maxTotal {
		return nil, fmt.Errorf("a histogram of %d values: at most %d", n, int64(maxTotal))
	}
	return &Histogram{res, h}, nil
}

// payloadHeader is how long the header of a V2 payload is.
const payloadHeader = 40

// payloadResolution reads the header of a payload.
func payloadResolution(payload []byte) (Resolution, error) {
	raw := make([]byte, base64.StdEncoding.DecodedLen(len(payload)))
	n, err := base64.StdEncoding.Decode(raw, payload)
	if err != nil {
		return Resolution{}, fmt.Errorf("no base64: %w", err)
	}
	if n < 8 {
		return Resolution{}, fmt.Errorf("a histogram of %d bytes: it is cut", n)
	}
	switch cookie := binary.BigEndian.Uint32(raw) &^ wordBits; cookie {
	case cookieV2:
	case cookieV1, cookieV0:
		return Resolution{}, fmt.Errorf("%w (cookie %#x): copy the log with HistogramLogWriter of HdrHistogram 2.1 or later", ErrOldHistogram, cookie)
	default:
		return Resolution{}, fmt.Errorf("no histogram: it begins with %#x", cookie)
	}
	z, err := zlib.NewReader(bytes.NewReader(raw[8:n]))
	if err != nil {
		return Resolution{}, fmt.Errorf("a damaged histogram: %w", err)
	}
	var head [payloadHeader]byte
	if _, err := io.ReadFull(z, head[:]); err != nil {
		return Resolution{}, fmt.Errorf("a damaged histogram: its header: %w", err)
	}
	return Resolution{
		Digits:  int(int32(binary.BigEndian.Uint32(head[12:]))),
		Lowest:  max(1, int64(binary.BigEndian.Uint64(head[16:]))),
		Highest: int64(binary.BigEndian.Uint64(head[24:])),
	}, nil
}
