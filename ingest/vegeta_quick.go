package ingest

// vegetaQuick reads lines of vegeta's JSON as vegeta writes them: the members
// in its order, without blanks, texts of plain ASCII that need no unquoting. A text
// is mostly that of the line before, which is found by comparing the bytes.
type vegetaQuick struct {
	line []byte
	at   int
	ok   bool // everything so far was as expected

	attack, errorText, method, url string // of the line before
}

// read reads a line. What it does not know it leaves to parseVegetaLine, which
// reads every line that it reads to the same result; a stamp that cannot be read
// as well.
func (q *vegetaQuick) read(line []byte, stamps *Stamps, r *vegetaResult) bool {
	q.line, q.at, q.ok = line, 0, true
	q.literal(`{"attack":"`)
	q.attack = q.text(q.attack)
	q.literal(`,"seq":`)
	seq := q.number()
	q.literal(`,"code":`)
	code, _ := digits(q.number(), 0)
	q.literal(`,"timestamp":"`)
	stamp := q.raw()
	q.literal(`,"latency":`)
	latency, _ := digits(q.number(), 0)
	q.literal(`,"bytes_out":`)
	q.number()
	q.literal(`,"bytes_in":`)
	q.number()
	q.literal(`,"error":"`)
	q.errorText = q.text(q.errorText)
	q.literal(`,"body":`)
	q.textOrNull()
	q.literal(`,"method":"`)
	q.method = q.text(q.method)
	q.literal(`,"url":"`)
	q.url = q.text(q.url)
	q.literal(`,"headers":`)
	q.headers()
	q.literal(`}`)
	if !q.ok || q.at != len(line) || code > 1<<16-1 {
		return false
	}
	ns, err := stamps.Bytes(stamp)
	if err != nil {
		return false
	}
	stamps.fraction(9) // RFC 3339 to the nanosecond, which drops trailing zeros
	*r = vegetaResult{start: ns, latency: latency, code: uint64(code), seq: string(seq), attack: q.attack, errorText: q.errorText, method: q.method, url: q.url}
	return true
}

// literal expects a text as it stands.
func (q *vegetaQuick) literal(text string) {
	end := q.at + len(text)
	if !q.ok || end > len(q.line) || string(q.line[q.at:end]) != text {
		q.ok = false
		return
	}
	q.at = end
}

// skips is literal for a text that need not be there.
func (q *vegetaQuick) skips(text string) bool {
	end := q.at + len(text)
	if !q.ok || end > len(q.line) || string(q.line[q.at:end]) != text {
		return false
	}
	q.at = end
	return true
}

// number expects a whole number of up to 18 digits, as JSON has it.
func (q *vegetaQuick) number() []byte {
	_, end := digits(q.line, q.at)
	if !q.ok || end == q.at || q.line[q.at] == '0' && end > q.at+1 {
		q.ok = false
		return nil
	}
	b := q.line[q.at:end]
	q.at = end
	return b
}

// text expects the rest of a string with its closing quote; it is returned, or
// before if it is that.
func (q *vegetaQuick) text(before string) string {
	if end := q.at + len(before); q.ok && end < len(q.line) && q.line[end] == '"' && string(q.line[q.at:end]) == before {
		q.at = end + 1
		return before
	}
	return string(q.raw())
}

// raw is text as it stands in the line.
func (q *vegetaQuick) raw() []byte {
	if !q.ok {
		return nil
	}
	for i := q.at; i < len(q.line); i++ {
		switch c := q.line[i]; {
		case c == '"':
			b := q.line[q.at:i]
			q.at = i + 1
			return b
		case c < ' ' || c > '~' || c == '\\':
			q.ok = false
			return nil
		}
	}
	q.ok = false
	return nil
}

func (q *vegetaQuick) textOrNull() {
	if !q.skips(`null`) {
		q.literal(`"`)
		q.raw()
	}
}

// headers expects null, or an object of lists of strings.
func (q *vegetaQuick) headers() {
	if q.skips(`null`) {
		return
	}
	q.literal(`{`)
	if q.skips(`}`) {
		return
	}
	for q.ok {
		q.literal(`"`)
		q.raw()
		q.literal(`:[`)
		for q.ok {
			q.literal(`"`)
			q.raw()
			if !q.skips(`,`) {
				break
			}
		}
		q.literal(`]`)
		if !q.skips(`,`) {
			break
		}
	}
	q.literal(`}`)
}
