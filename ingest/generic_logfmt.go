package ingest

import (
	"slices"
)

// GenericLogfmt reads logfmt whose keys a mapping declares.
var GenericLogfmt = &Importer{
	Name: genericLogfmtName,
	Doc: `logfmt with a declared mapping

Chosen only with a mapping (--map), which says which key is the start or the end,
the latency, the status and so on, and in which unit; see
docs/formats/mapping.md. A key with an empty value, and a bare key, are missing.
Lines of other kinds in the same file are left out by the mapping's conditions.`,
	Gives: []string{"samples: what the mapping names", "points: what the mapping names"},
	Lacks: []string{"what the mapping does not name"},
	Load:  true,
	Sniff: func([]byte) bool { return false },
	Read:  readGenericLogfmt,
}

const genericLogfmtName = "generic-logfmt"

func readGenericLogfmt(in *Input, sink Sink) error {
	g, err := newGenericReader(in, sink, genericLogfmtName)
	if err != nil {
		return err
	}
	row := &jsonRow{values: make([]genericValue, len(g.fields)), seen: make([]bool, len(g.fields))}
	var pairs []logfmtPair
	return g.lines(row, func(text []byte) string {
		var closed bool
		if pairs, closed = parseLogfmt(string(text), pairs); !closed {
			return "a quote is not closed"
		}
		clear(row.values)
		row.lines++
		for _, p := range pairs {
			if i := slices.Index(g.fields, p.key); i >= 0 && !p.bare {
				row.values[i], row.seen[i] = []byte(p.value), true
			}
		}
		return ""
	})
}
