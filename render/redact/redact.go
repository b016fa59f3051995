package redact

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"headroom/analyze"
)

// Capacity returns a copy in which names are masked, and marks it so. The capacity
// is not changed.
func Capacity(c *analyze.Capacity) *analyze.Capacity {
	out := clone(c)
	if out.Redacted {
		return out
	}
	m := newMasker()
	for i := range out.Results { // what the run says of its host begins with its name
		m.hostOf(out.Results[i].Run.Host)
	}
	walk(reflect.ValueOf(out).Elem(), "", func(s, key string) string { m.look(s, key); return s })
	m.learned()
	walk(reflect.ValueOf(out).Elem(), "", func(s, key string) string { return m.mask(s, key) })
	out.Redacted = true
	out.Method = append(out.Method, "Names of hosts and users, IP and mail addresses, folders of users and literals of queries are masked; one name has one mask throughout.")
	return out
}

// clone copies a capacity through JSON, as a reader of capacity.json has it.
func clone(c *analyze.Capacity) *analyze.Capacity {
	out := &analyze.Capacity{}
	data, err := json.Marshal(c)
	if err == nil {
		err = json.Unmarshal(data, out)
	}
	if err != nil {
		panic(fmt.Sprintf("redact: a capacity that is no JSON: %v", err)) // render could not write it either
	}
	return out
}

// kept are fields that name things of ours: ids, units, roles, digests and the
// like, by their name in JSON. Nothing in them comes from a system under test.
var kept = map[string]bool{
	"schema": true, "protocol": true, "kind": true, "outcome": true, "role": true, "unit": true, "bound": true, "status": true, "mark": true,
	"align": true, "scale": true, "method": true, "state": true, "detector": true, "gate": true, "severity": true, "digest": true, "sha256": true,
	"format": true, "start": true, "end": true, "window": true, "display": true, "basis": true, "model": true,
}

// walk changes every text of a value, in the order of its fields; maps by their
// sorted keys, which are texts, too. key is the name of the field or of the label
// in which a text stands.
func walk(v reflect.Value, key string, change func(s, key string) string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(change(v.String(), key))
	case reflect.Pointer:
		if !v.IsNil() {
			walk(v.Elem(), key, change)
		}
	case reflect.Interface:
		if v.IsNil() {
			return
		}
		inner := reflect.New(v.Elem().Type()).Elem()
		inner.Set(v.Elem())
		walk(inner, key, change)
		v.Set(inner)
	case reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), key, change)
		}
	case reflect.Map:
		walkMap(v, change)
	case reflect.Struct:
		t := v.Type()
		for i := range v.NumField() {
			name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			if name == "" {
				name = t.Field(i).Name
			}
			if !kept[name] || v.Field(i).Kind() != reflect.String && name != "window" {
				walk(v.Field(i), name, change)
			}
		}
	}
}

func walkMap(v reflect.Value, change func(s, key string) string) {
	if v.IsNil() || v.Type().Key().Kind() != reflect.String {
		return
	}
	values := map[string]reflect.Value{}
	for _, k := range v.MapKeys() {
		values[k.String()] = v.MapIndex(k)
	}
	masked := reflect.MakeMap(v.Type())
	for _, k := range slices.Sorted(maps.Keys(values)) {
		value := reflect.New(v.Type().Elem()).Elem()
		value.Set(values[k])
		walk(value, k, change)
		masked.SetMapIndex(reflect.ValueOf(change(k, "")).Convert(v.Type().Key()), value)
	}
	v.Set(masked)
}
