package runs

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
)

// compat are the runs under testdata/compat, one of each format version. They
// were written by the version that introduced the format and are never written
// again: the digest is that of the bytes then.
var compat = map[string]string{
	"v1": "4e15937d85b3f672f583978f68ed83e1211b5a4540fcd08ff9f6df12ad65d076",
}

func TestOldVersionsStayReadable(t *testing.T) {
	folders, err := List(filepath.Join("testdata", "compat"))
	if err != nil || len(folders) != len(compat) {
		t.Fatalf("runs %v, %v; want one of each version", folders, err)
	}
	for _, folder := range folders {
		r, err := Open(folder)
		if err != nil {
			t.Fatal(err)
		}
		if want := compat[filepath.Base(folder)]; r.Digest() != want {
			t.Errorf("%s: digest %s, want %s", folder, r.Digest(), want)
		}
		if err := r.Verify(context.Background()); err != nil {
			t.Error(err)
		}
		data, err := os.ReadFile(folder + ".want.json")
		if err != nil {
			t.Fatal(err)
		}
		var want contents
		if err := json.Unmarshal(data, &want); err != nil {
			t.Fatal(err)
		}
		got, err := readAll(r, Range{})
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v\ngot  %+v\nwant %+v", folder, err, got, want)
		}
	}
}

// Every field of the manifest of version 1 keeps its name and its meaning.
func TestOldManifest(t *testing.T) {
	r, err := Open("testdata/compat/v1")
	if err != nil {
		t.Fatal(err)
	}
	m := r.Manifest()
	if m.ID != "20231114T221320Zd3b47e6a" || m.State != Sealed || m.First != "2023-11-14T22:13:20.000000Z" || m.Last != "2023-11-14T22:13:22.762000Z" {
		t.Errorf("id %s, state %s, first %s, last %s", m.ID, m.State, m.First, m.Last)
	}
	gained := []string{"Environment", "Snapshots"} // since the run was written
	v := reflect.ValueOf(*m)
	for i := range v.NumField() {
		if v.Field(i).IsZero() && !slices.Contains(gained, v.Type().Field(i).Name) {
			t.Errorf("%s was not read", v.Type().Field(i).Name)
		}
	}
	// What is written again is what was read: no field is lost.
	dir := t.TempDir()
	if err := writeManifest(filepath.Join(dir, "run.json"), m); err != nil {
		t.Fatal(err)
	}
	was, err := os.ReadFile("testdata/compat/v1/run.json")
	if err != nil {
		t.Fatal(err)
	}
	is, err := os.ReadFile(filepath.Join(dir, "run.json"))
	if err != nil || string(is) != string(was) {
		t.Errorf("run.json became, %v\n%s", err, is)
	}
}
