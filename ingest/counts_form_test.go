package ingest

import (
	"errors"
	"strings"
	"testing"
)

// TestWhatCountsLookLike: who gives counts that are none is told where, what was
// seen and what counts look like.
func TestWhatCountsLookLike(t *testing.T) {
	for _, c := range []struct {
		text, as string
		want     string
	}{
		{"rows,quantity\n", "psql-counts", "counts.txt:1: there is no row below the header; "},
		{"rows,quantity\n10,3\n12,4\n", "psql-counts", "counts.txt:3: a second row; "},
		{"rows,quantity\nten,3\n", "psql-counts", `counts.txt:2: column rows, "ten", is no number; `},
		{`{"collection":"Posts"}`, "json-counts", "counts.txt:1: no member is a number; "},
		{"{\"n\":1}\n{\"n\":2}\n", "json-counts", "counts.txt:2: a second object; "},
		{"rows,quantity\n", "", `counts.txt: not a format that is known: it begins with the text "rows,quantity"`},
		{"about 12 rows\n", "", `counts.txt: not a format that is known: it begins with the text "about 12 rows"`},
	} {
		dir := write(t, map[string]string{"counts.txt": c.text, "k6.json": k6At("2026-03-02T10:00:00Z", 5)})
		files := paths(dir, "counts.txt", "k6.json")
		files[0].Role, files[0].As = Before, c.as
		_, _, err := ingest(t, Request{Files: files})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "counts are a header and one row of numbers, as psql --csv") {
			t.Errorf("%q as %q: %v, want %q and what counts look like", c.text, c.as, err, c.want)
		}
	}
}

// TestJSONCountsWithoutStamp are read where they are given as counts, and claimed
// nowhere else.
func TestJSONCountsWithoutStamp(t *testing.T) {
	dir := write(t, map[string]string{"counts.json": `{"collection":"Posts","count":17012}`, "k6.json": k6At("2026-03-02T10:00:00Z", 5)})
	files := paths(dir, "counts.json", "k6.json")
	if _, _, err := ingest(t, Request{Files: files}); !errors.Is(err, ErrUnknown) {
		t.Errorf("an object of numbers was taken for counts: %v", err)
	}
	files[0].Role = After
	_, dst := must(t, Request{Files: files})
	if after := dst.m.After; after == nil || after.At != "" || after.Values["count"] != "17012" || after.Values["Posts.count"] != "17012" {
		t.Errorf("after the load: %+v", after)
	}
	files[0].Role, files[0].As = Evidence, JSONCounts.Name
	if _, dst := must(t, Request{Files: files}); dst.m.Sources[0].Format != JSONCounts.Name && dst.m.Sources[1].Format != JSONCounts.Name {
		t.Errorf("sources %+v", dst.m.Sources)
	}
}

// TestWhatAFileWithoutRowsGave: a file of counts, or a summary, that was read is not
// told as one of no rows.
func TestWhatAFileWithoutRowsGave(t *testing.T) {
	dir := write(t, map[string]string{
		"before.csv": countsBefore, "k6.exit": "99\n", "k6.json": k6At("2026-03-02T10:00:00Z", 5),
		"summary.json": `{"root_group":{},"metrics":{"http_reqs":{"count":5},"http_req_duration":{"avg":10,"thresholds":{"p(95)<5":true}}}}`,
	})
	files := paths(dir, "before.csv", "k6.exit", "k6.json", "summary.json")
	files[0].Role, files[1].Role = Before, ExitFile
	report, _ := must(t, Request{Files: files})
	for i, want := range []string{"2 counts", "exit status 99", "", "a summary, 1 threshold"} {
		if got := report.Files[i].Gave; got != want {
			t.Errorf("%s: gave %q, want %q", report.Files[i].Path, got, want)
		}
	}
}
