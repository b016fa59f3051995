package table

import (
	"errors"
	"fmt"

	"github.com/parquet-go/parquet-go/encoding/thrift"
)

// decodeThrift decodes the Thrift structure in the compact protocol with which
// data begins, and returns its length. It first checks that no list in it
// claims more elements than there can be: the decoder allocates what a list
// claims.
func decodeThrift(data []byte, v any) (int, error) {
	var protocol thrift.CompactProtocol
	w := thriftWalk{r: protocol.NewReaderFromBytes(data), left: min(len(data), maxFooterList)}
	if err := w.value(thrift.STRUCT, 0); err != nil {
		return 0, err
	}
	return w.r.BytesRead(), thrift.NewDecoder(protocol.NewReaderFromBytes(data)).Decode(v)
}

// thriftWalk reads through a Thrift structure without keeping anything.
type thriftWalk struct {
	r    thrift.Reader
	left int // list elements that may still come
}

func (w *thriftWalk) value(t thrift.Type, depth int) (err error) {
	if depth > 16 {
		return errors.New("nested too deeply")
	}
	switch t {
	case thrift.STRUCT:
		return w.structure(depth)
	case thrift.LIST, thrift.SET:
		var l thrift.List
		if l, err = w.r.ReadList(); err != nil {
			return err
		}
		if w.left -= int(l.Size); w.left < 0 || l.Size < 0 {
			return errors.New("a list claims more elements than fit")
		}
		for range l.Size {
			if err := w.element(l.Type, depth+1); err != nil {
				return err
			}
		}
		return nil
	case thrift.TRUE, thrift.FALSE:
		return nil // a field's boolean is its type
	case thrift.I8:
		_, err = w.r.ReadInt8()
	case thrift.I16:
		_, err = w.r.ReadInt16()
	case thrift.I32:
		_, err = w.r.ReadInt32()
	case thrift.I64:
		_, err = w.r.ReadInt64()
	case thrift.DOUBLE:
		_, err = w.r.ReadFloat64()
	case thrift.BINARY:
		_, err = w.r.ReadBytes()
	default:
		return fmt.Errorf("unexpected type %v", t)
	}
	return err
}

// element is value for a member of a list, where a boolean has a byte.
func (w *thriftWalk) element(t thrift.Type, depth int) error {
	if t == thrift.TRUE || t == thrift.FALSE {
		_, err := w.r.ReadBool()
		return err
	}
	return w.value(t, depth)
}

func (w *thriftWalk) structure(depth int) error {
	for {
		f, err := w.r.ReadField()
		if err != nil {
			return err
		}
		if f.Type == thrift.STOP {
			return nil
		}
		if err := w.value(f.Type, depth+1); err != nil {
			return err
		}
	}
}
