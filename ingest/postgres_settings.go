package ingest

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"headroom/runs"
)

// PostgresSettings reads CSV of pg_settings.
var PostgresSettings = &Importer{
	Name: "postgres-settings",
	Doc: `CSV of pg_settings

A header with name and setting, as "psql --csv -c 'select name, setting, unit,
source from pg_settings'" prints it
(https://www.postgresql.org/docs/current/view-pg-settings.html). Settings go to
the manifest, with their unit (2048 of 8kB is 16384kB); all columns are kept as a snapshot. Settings that may hold a
secret (conninfo, passphrase commands) are left out.`,
	Gives: []string{"manifest: settings", "snapshots/pg_settings"},
	Lacks: []string{"when a setting was changed"},
	Sniff: func(head []byte) bool {
		columns, ok := csvHeader(head)
		return ok && slices.Contains(columns, "name") && slices.Contains(columns, "setting") && findPGView(columns) == nil
	},
	Read: func(in *Input, sink Sink) error {
		s := &settings{Sink: sink, in: in}
		err := readViewCSV(in, s, func(columns []string) (*viewRows, error) {
			if !slices.Contains(columns, "name") || !slices.Contains(columns, "setting") {
				return nil, errors.New("its header lacks name or setting")
			}
			// Every column is a name, and so none a point.
			return &viewRows{in: in, sink: s, out: &cadence{sink: sink}, view: &pgView{name: "pg_settings", keys: columns}}, nil
		})
		if err == nil && s.secrets > 0 {
			in.Note("settings that may hold a secret were left out: %d", s.secrets)
		}
		return err
	},
}

// settings passes on the rows of pg_settings and takes the manifest's from them.
type settings struct {
	Sink
	in      *Input
	secrets int
}

// settingsMost is how many settings a manifest takes; PostgreSQL 18 has some 400,
// extensions add theirs.
const settingsMost = 2000

// Snapshot takes a row.
func (s *settings) Snapshot(row *runs.Snapshot) error {
	name, _ := row.Value("name")
	if isSecret(name) {
		s.secrets++
		return nil
	}
	m := &s.in.Meta
	if m.Settings == nil {
		m.Settings = map[string]string{}
	}
	value, known := row.Value("setting")
	if unit, ok := row.Value("unit"); ok && known {
		value = withUnit(value, unit)
	}
	if name != "" && len(m.Settings) < settingsMost {
		m.Settings[shorten(name, 100)] = shorten(value, 1000)
	}
	return s.Sink.Snapshot(row)
}

// withUnit writes a setting with its unit, which can hold a factor: 2048 of "8kB"
// is 16384kB. What is negative (off, or no limit) has none.
func withUnit(value, unit string) string {
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || n < 0 {
		return value
	}
	digits := max(digitsLength([]byte(unit), isDigit), 0)
	factor, err := strconv.ParseInt(unit[:digits], 10, 32)
	if err != nil || factor <= 0 || n > math.MaxInt64/factor {
		factor, digits = 1, 0
	}
	return strconv.FormatInt(n*factor, 10) + unit[digits:]
}

// isSecret reports whether a setting of this name may hold a password, a token or
// a command that has one.
func isSecret(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{"conninfo", "passphrase", "password", "secret", "token", "_key", "credential", "archive_command", "restore_command"},
		func(part string) bool {
			return strings.Contains(name, part) && name != "password_encryption" && name != "ssl_key_file"
		})
}
