package ingest

import (
	"github.com/go-json-experiment/json/jsontext"

	"headroom/runs"
)

// Expvar reads what Go's package expvar publishes.
var Expvar = &Importer{
	Name: "expvar",
	Doc: `Go process variables (/debug/vars of package expvar)

Recognised by a JSON object with "memstats" in which "TotalAlloc" stands. Its
numbers are totals of the process since it began (TotalAlloc, Mallocs, NumGC) or
levels (HeapAlloc): taken before and after the load, the differences of the
totals are what the load has cost. Every number becomes a count by its path, as
memstats.TotalAlloc; lists, as of pauses, are left out.

Whether it was taken before or after the load is said when it is given (--before,
--after): the variables have no time.`,
	Gives: []string{"manifest: before, after"},
	Lacks: []string{"when it was taken", "which numbers are totals, and which levels"},
	Sniff: func(head []byte) bool {
		return beginsJSON(head) && hasKeys(head, "memstats", "TotalAlloc")
	},
	Read: readExpvar,
}

func readExpvar(in *Input, _ Sink) error {
	counts := &runs.Counts{Source: in.Name, Values: map[string]string{}}
	err := in.eachJSON(func(w *jsonWalk) error { return expvarObject(w, "", counts.Values, 0) })
	if err != nil {
		return err
	}
	if len(counts.Values) > 0 {
		in.Meta.Counts = counts
	}
	return nil
}

// expvarObject takes the numbers of an object by their paths.
func expvarObject(w *jsonWalk, path string, values map[string]string, depth int) error {
	return w.object(func(name string) error {
		name = path + cutTag(name)
		if w.d.PeekKind() == jsontext.KindBeginObject && depth < appDepth {
			return expvarObject(w, name+".", values, depth+1)
		}
		if w.d.PeekKind() != jsontext.KindNumber {
			return w.skip()
		}
		raw, err := w.raw()
		if err == nil && isNumber(string(raw)) && len(values) < maxTags {
			values[name] = string(raw)
		}
		return err
	})
}
