package ingest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestHeaderAlone refuses what holds a header and no row, as it does what holds
// no byte: a run made of it would be of a load that nobody recorded.
func TestHeaderAlone(t *testing.T) {
	for name, text := range map[string]string{
		"hey.csv":       "response-time,DNS+dialup,DNS,Request-write,Response-delay,Response-read,status-code,offset\n",
		"jmeter.jtl":    "timeStamp,elapsed,label,responseCode,responseMessage,threadName,success\n",
		"k6.csv":        "metric_name,timestamp,metric_value,check,error,error_code,expected_response,group,method,name,proto,scenario,service,status,subproto,tls_version,url,extra_tags,metadata\n",
		"k6.json":       `{"type":"Metric","data":{"name":"http_reqs","type":"counter","contains":"default","thresholds":[],"submetrics":null},"metric":"http_reqs"}` + "\n",
		"ab.tsv":        "starttime\tseconds\tctime\tdtime\tttime\twait\n",
		"benchbase.csv": "Transaction Type Index,Transaction Name,Start Time (microseconds),Latency (microseconds),Worker Id (start number),Phase Id (index in config file)\n",
		"locust.csv":    "Type,Name,Request Count,Failure Count,Median Response Time,Average Response Time,Min Response Time,Max Response Time,Average Content Size,Requests/s,Failures/s,50%\n",
		"pgbench.txt":   "pgbench (16.1)\nstarting vacuum...end.\n",
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		opt := Options{Zone: time.UTC, Start: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Interval: time.Second}
		req := Request{Files: []File{{Path: path}}, Options: opt}
		if _, err := Ingest(context.Background(), req, &rows{}); !errors.Is(err, ErrEmpty) || !strings.HasPrefix(err.Error(), name+": empty: ") {
			t.Errorf("%s: %v", name, err)
		}
		if report, err := DryRun(context.Background(), req); !errors.Is(err, ErrEmpty) || report.Files[0].Error == "" {
			t.Errorf("%s, dry: %v", name, err)
		}
	}
}

// TestHeaderAloneInFolder leaves such a file out of a run that has others, and
// says so; a list of failures that is empty says that nothing failed.
func TestHeaderAloneInFolder(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.tsv":        "starttime\tseconds\tctime\tdtime\tttime\twait\nMon Nov 30 15:30:06 2026\t1796052606\t0\t8\t8\t8\n",
		"b.tsv":        "starttime\tseconds\tctime\tdtime\tttime\twait\n",
		"failures.csv": "Method,Name,Error,Occurrences\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	dst := &rows{}
	report, err := Ingest(context.Background(), Request{Files: []File{{Path: dir}}}, dst)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Files) != 2 || report.Files[0].Format != AbGnuplot.Name || report.Files[1].Format != LocustFailures.Name {
		t.Errorf("read: %+v", report.Files)
	}
	if len(dst.m.Notes) != 1 || !strings.HasPrefix(dst.m.Notes[0], "left out: b.tsv: empty: ") {
		t.Errorf("notes: %q", dst.m.Notes)
	}
	if len(dst.m.Summaries) != 1 || dst.m.Summaries[0].Values["failed"] != 0 {
		t.Errorf("summaries: %+v", dst.m.Summaries)
	}
}
