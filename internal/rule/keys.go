package rule

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"headroom/internal/near"
	"headroom/internal/yamlfile"
)

// missing refuses a file that lacks a key, or has nothing in it, where one is
// needed: at the key if it is there, else at the one that asks for it.
func (r reader) missing(w *written) error {
	for _, k := range []struct {
		key, why string
		lacks    bool
		asks     string // the key that asks for it
	}{
		{"name", "lower case words joined by -, as slow-checkout", w.Name == "", ""},
		{"doc", `say what the detector sees, and in a sentence with "Cannot see" what it does not`, w.Doc == "", "name"},
		{"input", "say what is looked at: samples, points, sessions or markers", w.Input == "", "name"},
		{"metrics", "a detector over points names at least one, as [queue.depth] (docs/format/metrics.md)", w.Input == string(Points) && len(w.Metrics) == 0, "input"},
		{"kinds", "a detector over markers names at least one, as [checkpoint] (docs/format/metrics.md)", w.Input == string(Markers) && len(w.Kinds) == 0, "input"},
		{"when", "say in which windows something is wrong, as max > limit", w.When == "", "input"},
	} {
		switch {
		case !k.lacks:
		case r.doc.Has(k.key):
			return r.at("%s is empty: %s", k.key, k.why)(k.key)
		default:
			return r.at("the key %s is missing: %s", k.key, k.why)(k.asks)
		}
	}
	return nil
}

// known adds to an error about a key that there is none of the one that was most
// likely meant, or those that there are.
func known(err error) error {
	var e *yamlfile.Error
	var name string
	if !errors.As(err, &e) {
		return err
	}
	if n, _ := fmt.Sscanf(e.Msg, "unknown field %q", &name); n != 1 {
		return err
	}
	var keys []string
	for _, t := range []reflect.Type{reflect.TypeFor[written](), reflect.TypeFor[writtenWindow](), reflect.TypeFor[writtenParam]()} {
		for i := range t.NumField() {
			keys = append(keys, t.Field(i).Tag.Get("yaml"))
		}
	}
	meant := near.DidYouMean(name, keys)
	if meant == "" {
		meant = "; those that there are: " + strings.Join(keys[:reflect.TypeFor[written]().NumField()], ", ")
	}
	e.Msg = fmt.Sprintf("there is no key %q%s", name, meant)
	return e
}
