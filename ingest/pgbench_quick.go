package ingest

// quick reads a line as pgbench writes it: six to eight whole numbers of up to
// 18 digits, with one blank between. What it does not know (words in the place
// of the time, other blanks, longer numbers) it leaves to parsePgbenchRow, which
// reads every line that quick reads to the same row.
func (p *pgbenchReader) quick(line []byte, r *pgbenchRow) bool {
	var n [8]int64
	var starts [9]int // of the fields; and of what would follow the last
	k, i := 0, 0
	for {
		v, end := digits(line, i)
		if end == i || k == len(n) {
			return false
		}
		n[k] = v
		k++
		i = end + 1
		starts[k] = i
		if end == len(line) {
			break
		}
		if line[end] != ' ' {
			return false
		}
	}
	if k < 6 || n[2] > maxDuration/1000 || n[6] > maxDuration/1000 || n[4] < earliest || n[4] >= latest || n[5] >= 1e6 {
		return false
	}
	r.client = p.clients.word(n[0], line[:starts[1]-1], p.shared)
	r.script = p.scripts.word(n[3], line[starts[3]:starts[4]-1], p.shared)
	r.word, r.time, r.end = "", n[2], n[4]*1e9+n[5]*1e3
	r.more, r.moreN = [2]int64{n[6], n[7]}, k-6
	return true
}
