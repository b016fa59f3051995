package ingest

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"headroom/runs"
)

// activityInstant is one line of JSON: every session at a sampling instant.
type activityInstant struct {
	At       string `json:"ts"`
	Activity []struct {
		PID         *int64 `json:"pid"`
		BackendType string `json:"backend_type"`
		State       string `json:"state"`
		WaitType    string `json:"wait_event_type"`
		Wait        string `json:"wait_event"`
		Database    string `json:"datname"`
		User        string `json:"usename"`
		Application string `json:"application_name"`
		Query       string `json:"query"`
	} `json:"activity"`
	Blocked []struct {
		PID int64   `json:"pid"`
		By  []int64 `json:"by"`
	} `json:"blocked"`
}

// isActivityJSON reports whether head begins like such a line.
func isActivityJSON(head []byte) bool {
	start := head[:min(len(head), 1024)]
	return bytes.HasPrefix(bytes.TrimSpace(start), []byte(`{"ts"`)) &&
		bytes.Contains(start, []byte(`"activity"`)) && bytes.Contains(start, []byte(`"wait_event"`))
}

func readActivityJSON(in *Input, sink Sink) error {
	a := &activityReader{in: in, sink: sink}
	l := in.Lines()
	for l.Next() {
		line := l.Bytes()
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if err := a.instant(line, l); err != nil {
			return err
		}
	}
	if err := l.Finish(); err != nil {
		return err
	}
	a.finish()
	return nil
}

// instant reads the sessions of one line.
func (a *activityReader) instant(line []byte, l *Lines) error {
	var at activityInstant
	if err := json.Unmarshal(line, &at); err != nil {
		return a.in.BadAt(l, "%v", err)
	}
	ns, err := a.in.Stamps().Parse(at.At)
	if err != nil {
		return a.in.unplaced(l, err)
	}
	blockers := map[int64]string{}
	for _, b := range at.Blocked {
		var pids []string
		for _, pid := range b.By {
			pids = append(pids, strconv.FormatInt(pid, 10))
		}
		blockers[b.PID] = strings.Join(pids, ",")
	}
	for _, s := range at.Activity {
		row := runs.Activity{
			Time: micros(ns), PID: runs.Missing, BackendType: s.BackendType, State: s.State,
			WaitType: s.WaitType, Wait: s.Wait, Database: s.Database, User: s.User,
			Application: s.Application, Query: shorten(s.Query, pgTextMax),
		}
		if s.PID != nil {
			row.PID, row.BlockedBy = *s.PID, blockers[*s.PID]
		}
		if err := a.put(&row); err != nil {
			return err
		}
	}
	return nil
}
