package ingest

import "testing"

// FuzzPgbenchQuick: what the quick reader reads, the general one reads alike.
func FuzzPgbenchQuick(f *testing.F) {
	for _, line := range []string{
		"0 199 2241 0 1175850568 995598", "3 1 2241 12 1175850568 5 10", "0 1 1 0 1175850568 5 10 3",
		"0 1 skipped 0 1175850568 5 10", "0  1 2 0 1175850568 5", "0 1 2 0 1175850568 5 ", "00 1 007 01 1175850568 000005",
		"0 1 1000000000000 0 1175850568 5", "0 1 1000000000001 0 1175850568 5", "1 2 3 4 5 6 7 8 9", "0 1 2 0 1175850568 1000000",
		"0 1 999999999999999999 0 1175850568 5", "0 1 9999999999999999999 0 1175850568 5", "\t0 1 2 0 1175850568 5", "",
	} {
		f.Add([]byte(line))
	}
	p := &pgbenchReader{shared: intern{}}
	f.Fuzz(func(t *testing.T, line []byte) {
		var quick pgbenchRow
		if !p.quick(line, &quick) {
			return
		}
		general, reason := parsePgbenchRow(line)
		if reason != "" || general != quick {
			t.Errorf("%q: quick %+v, general %+v (%s)", line, quick, general, reason)
		}
	})
}

// TestPgbenchQuickReads: the lines that pgbench writes are not left to the
// general reader.
func TestPgbenchQuickReads(t *testing.T) {
	p := &pgbenchReader{shared: intern{}}
	for line, want := range map[string]bool{
		"0 199 2241 0 1175850568 995598": true, "31 199 2241 2 1175850568 995598 14": true, "0 1 1 0 1175850568 5 10 3": true,
		"0 1 failed 0 1175850568 5": false, "0 1 2 0 1175850568": false,
	} {
		if got := p.quick([]byte(line), new(pgbenchRow)); got != want {
			t.Errorf("%q is read quickly: %v, want %v", line, got, want)
		}
	}
}
