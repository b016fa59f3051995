package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// PostgresStatsJSON reads JSON lines of PostgreSQL's statistics views.
var PostgresStatsJSON = &Importer{
	Name: "postgres-stats-json",
	Doc: `JSON lines of statistics views of PostgreSQL

One object a line, an instant each: a stamp (sampled_at, ts, …) and views, as
"select row_to_json(…)" gathers them: an object for a view of one row, an array
of objects for one of many. The names of the members do not matter: a view is
told by its columns, as for postgres-stats. A line that is one row of a view,
with its stamp among the columns, does as well. Values beside the views, such as a
position in the WAL, are rows of pg_server; null is missing. An object that is no
known view is left out, and that is said.`,
	Gives: []string{"snapshots/<view>", "points: postgres.<view>.<column>", "manifest: settings.server_version_num"},
	Lacks: PostgresStats.Lacks,
	Sniff: func(head []byte) bool {
		line, _ := firstLine(head)
		if !bytes.HasPrefix(bytes.TrimLeft(line, " "), []byte("{")) || isActivityJSON(head) {
			return false
		}
		r := &statsJSON{}
		_ = r.parse(line) // what the head does not hold is not needed
		return r.stamp != "" && (slices.ContainsFunc(r.objects, func(o jsonObject) bool { return findPGView(o.names) != nil }) || findPGView(r.top.names) != nil)
	},
	Read: readStatsJSON,
}

// jsonObject is an object whose members are no objects, as text.
type jsonObject struct {
	member string // by which it was found
	names  []string
	values []string
}

// statsJSON is one line: what it says, and the rows of each view so far.
type statsJSON struct {
	in   *Input
	sink Sink
	out  *cadence

	stamp   string
	top     jsonObject   // members of the line itself
	objects []jsonObject // members that are objects, or arrays of them

	rows    map[string]*viewRows // by view and columns
	unknown []string             // members that are no view
}

// Bounds of one line of views.
const (
	statsObjectsMax = 200_000
	statsLayoutsMax = 256
)

func readStatsJSON(in *Input, sink Sink) error {
	r := &statsJSON{in: in, sink: sink, out: &cadence{sink: sink}, rows: map[string]*viewRows{}}
	l := in.Lines()
	for l.Next() {
		line := l.Bytes()
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if err := r.parse(line); err != nil {
			if err := in.BadAt(l, "%v", err); err != nil {
				return err
			}
			continue
		}
		if err := r.line(l); err != nil {
			return err
		}
	}
	if err := l.Finish(); err != nil {
		return err
	}
	if len(r.unknown) > 0 {
		in.Note("members that are no view that is known were left out: %q", r.unknown)
	}
	return r.out.finish()
}

// parse reads a line.
func (r *statsJSON) parse(line []byte) error {
	r.stamp, r.top, r.objects = "", jsonObject{}, nil
	d := jsontext.NewDecoder(bytes.NewReader(line))
	if err := r.top.read(d, func(name string) error { return r.nested(d, name) }); err != nil {
		return fmt.Errorf("no line of JSON: %w", err)
	}
	if i := slices.IndexFunc(r.top.names, func(name string) bool { return slices.Contains(snapshotStamps, name) }); i >= 0 {
		r.stamp = r.top.values[i]
		r.top.names, r.top.values = slices.Delete(r.top.names, i, i+1), slices.Delete(r.top.values, i, i+1)
	}
	return nil
}

// nested reads a member that is an object or an array: views, or nothing of use.
func (r *statsJSON) nested(d *jsontext.Decoder, name string) error {
	if len(r.objects) >= statsObjectsMax {
		return fmt.Errorf("more than %d rows in one line", statsObjectsMax)
	}
	if d.PeekKind() == jsontext.KindBeginObject {
		o := jsonObject{member: name}
		err := o.read(d, func(string) error { return d.SkipValue() })
		r.objects = append(r.objects, o)
		return err
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() != jsontext.KindEndArray {
		var err error
		if d.PeekKind() == jsontext.KindBeginObject {
			err = r.nested(d, name)
		} else {
			err = d.SkipValue()
		}
		if err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}

// read reads an object; nested reads a member that is an object or an array, at
// which the decoder stands.
func (o *jsonObject) read(d *jsontext.Decoder, nested func(name string) error) error {
	if t, err := d.ReadToken(); err != nil || t.Kind() != jsontext.KindBeginObject {
		return errors.Join(err, errors.New("want an object"))
	}
	for d.PeekKind() != jsontext.KindEndObject {
		t, err := d.ReadToken()
		if err != nil {
			return err
		}
		name := strings.ToLower(t.String())
		if kind := d.PeekKind(); kind == jsontext.KindBeginObject || kind == jsontext.KindBeginArray {
			if err := nested(name); err != nil {
				return err
			}
			continue
		}
		t, err = d.ReadToken()
		if err != nil {
			return err
		}
		value := t.String()
		if t.Kind() == jsontext.KindNull {
			value = ""
		}
		o.names, o.values = append(o.names, name), append(o.values, value)
	}
	_, err := d.ReadToken()
	return err
}

// line writes what a line says.
func (r *statsJSON) line(l *Lines) error {
	if r.stamp == "" {
		return r.in.BadAt(l, "no member says when it was taken (sampled_at)")
	}
	ns, err := r.in.Stamps().Parse(r.stamp)
	if err != nil {
		return r.in.unplaced(l, err)
	}
	if view := findPGView(r.top.names); view != nil {
		return r.row(view, ns, &r.top)
	}
	r.server(&r.top)
	if len(r.top.names) > 0 {
		if err := r.row(pgServer, ns, &r.top); err != nil {
			return err
		}
	}
	for i := range r.objects {
		o := &r.objects[i]
		view := findPGView(o.names)
		if view == nil {
			if !slices.Contains(r.unknown, o.member) && len(r.unknown) < 8 {
				r.unknown = append(r.unknown, clip(o.member))
			}
			continue
		}
		if err := r.row(view, ns, o); err != nil {
			return err
		}
	}
	return nil
}

// server takes the server's version for the manifest.
func (r *statsJSON) server(o *jsonObject) {
	i := slices.Index(o.names, "server_version_num")
	if i < 0 {
		return
	}
	if r.in.Meta.Settings == nil {
		r.in.Meta.Settings = map[string]string{}
	}
	r.in.Meta.Settings["server_version_num"] = shorten(o.values[i], 20)
}

// row writes one row of a view.
func (r *statsJSON) row(view *pgView, ns int64, o *jsonObject) error {
	key := view.name + "\x00" + strings.Join(o.names, "\x00")
	rows := r.rows[key]
	if rows == nil {
		if len(r.rows) >= statsLayoutsMax {
			return &FileError{r.in.Name, fmt.Errorf("%w: its views have more than %d sets of columns", ErrTooLarge, statsLayoutsMax)}
		}
		rows = &viewRows{in: r.in, sink: r.sink, out: r.out, view: view}
		if err := rows.setColumns(o.names, nil); err != nil {
			return &FileError{r.in.Name, err}
		}
		r.rows[key] = rows
	}
	return rows.putAt(ns, o.values)
}
