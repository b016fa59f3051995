package ingest

import "time"

// quick reads a line as pgbench writes it: six to eight whole numbers of up to
// 18 digits, with one blank between. What it does not know (words in the place
// of the time, other blanks, longer numbers) it leaves to parsePgbenchRow, which
// reads every line that quick reads to the same row.
func (p *pgbenchReader) quick(line []byte, r *pgbenchRow) bool {
	var n [8]int64
	var ends [8]int // of the fields
	k, i := 0, 0
	for {
		start, v := i, int64(0)
		for i < len(line) && isDigit(line[i]) {
			v = v*10 + int64(line[i]-'0')
			i++
		}
		if i == start || i-start > 18 || k == len(n) {
			return false
		}
		n[k], ends[k] = v, i
		k++
		if i == len(line) {
			break
		}
		if line[i] != ' ' {
			return false
		}
		i++
	}
	if k < 6 || n[2] > maxDuration/1000 || n[6] > maxDuration/1000 || epochUnit(n[4]) != time.Second || n[5] >= 1e6 {
		return false
	}
	r.client, r.script = p.shared.text(line[:ends[0]]), p.shared.text(line[ends[2]+1:ends[3]])
	r.word, r.time, r.end = "", n[2], n[4]*1e9+n[5]*1e3
	r.more, r.moreN = [2]int64{n[6], n[7]}, k-6
	return true
}
