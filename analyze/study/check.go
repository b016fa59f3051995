package study

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"headroom/internal/near"
	"headroom/internal/yamlfile"
)

// suggest adds to an unknown key the one that was most likely meant: the nearest
// word, or where a key of that name belongs.
func suggest(err error) error {
	var e *yamlfile.Error
	if !errors.As(err, &e) {
		return err
	}
	var name string
	if n, _ := fmt.Sscanf(e.Msg, "unknown field %q", &name); n != 1 {
		return err
	}
	var last []string
	for _, place := range places() {
		key := place[strings.LastIndexByte(place, '.')+1:]
		last = append(last, key)
		if key == name {
			e.Msg = fmt.Sprintf("%q does not belong here, but at %s", name, place)
			return e
		}
	}
	meant := near.DidYouMean(name, last)
	if meant == "" {
		meant = "; docs/study.md has those that there are"
	}
	e.Msg = fmt.Sprintf("there is no key %q%s", name, meant)
	return e
}

// needs finds the first key that must be there and is not, and the first word
// that is not among those a key takes.
func (r *reader) needs() error { return r.needsIn(nil, reflect.ValueOf(*r.w)) }

func (r *reader) needsIn(at []any, v reflect.Value) error {
	t := v.Type()
	for i := range t.NumField() {
		f, val := t.Field(i), v.Field(i)
		here := append(slices.Clone(at), f.Tag.Get("yaml"))
		if f.Tag.Get("need") != "" && (val.IsZero() || val.Kind() == reflect.Slice && val.Len() == 0) && !(v.IsZero() && optional(at)) {
			return r.errorf(here, "the key %s is missing: %s", f.Tag.Get("yaml"), f.Tag.Get("doc"))
		}
		if words := f.Tag.Get("enum"); words != "" && !val.IsZero() {
			list := strings.Split(words, "|")
			if !slices.Contains(list, val.String()) {
				return r.errorf(here, "%q: want %s%s", val.String(), strings.Join(list, ", "), near.DidYouMean(val.String(), list))
			}
		}
		if err := r.needsInside(here, val); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) needsInside(at []any, v reflect.Value) error {
	switch v.Kind() {
	case reflect.Struct:
		return r.needsIn(at, v)
	case reflect.Slice:
		for i := range v.Len() {
			if err := r.needsInside(append(slices.Clone(at), i), v.Index(i)); err != nil {
				return err
			}
		}
	case reflect.Map:
		for _, k := range sortedKeys(v) {
			if err := r.needsInside(append(slices.Clone(at), k), v.MapIndex(reflect.ValueOf(k))); err != nil {
				return err
			}
		}
	}
	return nil
}

// optional reports whether the entry at a path may be left out as a whole: an
// element of a list or of a mapping is there, even if it is empty.
func optional(at []any) bool {
	if len(at) == 0 {
		return false
	}
	_, index := at[len(at)-1].(int)
	return !index && (len(at) < 2 || at[len(at)-2] != "constants")
}

func sortedKeys(v reflect.Value) []string {
	var out []string
	for _, k := range v.MapKeys() {
		out = append(out, k.String())
	}
	slices.Sort(out)
	return out
}
