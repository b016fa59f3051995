package ingest

import "bytes"

// quick reads a result as go test writes it: a name, the iterations, and measures
// of a number, one blank and a unit, all of printable ASCII. What it does not read
// it leaves to line, without a trace; what it reads, line reads alike.
func (p *goBenchPackage) quick(line []byte, cut bool) (read bool, err error) {
	if cut || !bytes.HasPrefix(line, []byte("Benchmark")) {
		return false, nil
	}
	name := line[:goBenchWord(line, 0)]
	from := goBenchBlanks(line, len(name))
	iterations, at := digits(line, from)
	if from == len(name) || at == from || len(name) > maxTag || !p.quickMeasures(line[at:]) {
		return false, nil
	}
	s := p.named[string(name)]
	if s == nil {
		s = p.seriesOf(string(name))
	}
	p.pending = ""
	return true, p.put(s, iterations)
}

// quickMeasures reads the measures that end a line. It reports whether all of it
// is measures.
func (p *goBenchPackage) quickMeasures(b []byte) bool {
	p.measures = p.measures[:0]
	for i := 0; i < len(b); {
		from := goBenchBlanks(b, i)
		end := from
		for end < len(b) && (isDigit(b[end]) || b[end] == '.') {
			end++
		}
		if from == i || end == from || end == len(b) || b[end] != ' ' {
			return false
		}
		if i = goBenchWord(b, end+1); i == end+1 {
			return false
		}
		m, ok := p.g.unit(b[end+1 : i])
		if !ok {
			return false
		}
		if m.value, ok = shifted(b[from:end], m.power); !ok {
			return false
		}
		p.measures = append(p.measures, m)
	}
	return len(p.measures) > 0
}

// unit returns what a unit as written becomes, made once; ok is false of too many.
func (g *goBenchReader) unit(written []byte) (m goBenchMeasure, ok bool) {
	if m, ok = g.units[string(written)]; ok {
		return m, true
	}
	if len(written) > maxTag || len(g.units) >= maxWords {
		return m, false
	}
	m = goBenchUnit(string(written))
	g.units[string(written)] = m
	return m, true
}

// goBenchWord returns the end of the printable ASCII that begins at b[i].
func goBenchWord(b []byte, i int) int {
	for i < len(b) && b[i] > ' ' && b[i] <= '~' {
		i++
	}
	return i
}

// goBenchBlanks returns the end of the blanks and tabs that begin at b[i].
func goBenchBlanks(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t') {
		i++
	}
	return i
}
