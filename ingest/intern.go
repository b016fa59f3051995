package ingest

import "strings"

// intern shares the words that many rows hold, so that a row does not keep the
// line alive that its word came from. It is bounded: what comes after maxWords
// different words is copied each time.
type intern map[string]string

// word returns s, fit to be stored (see cutTag).
func (w intern) word(s string) string {
	if s == "" {
		return ""
	}
	if v, ok := w[s]; ok {
		return v
	}
	v := cutTag(strings.Clone(s))
	if len(w) < maxWords && len(s) <= maxTag {
		w[strings.Clone(s)] = v
	}
	return v
}

// text is word of text in a buffer that is used again.
func (w intern) text(b []byte) string {
	if v, ok := w[string(b)]; ok {
		return v
	}
	return w.word(string(b))
}

// keep returns b as a string that other rows share, as it is.
func (w intern) keep(b []byte) string {
	v, ok := w[string(b)]
	if ok && v == string(b) {
		return v
	}
	v = string(b)
	if !ok && len(w) < maxWords && len(b) <= maxTag {
		w[v] = v
	}
	return v
}

// labels returns name and value pairs as the canonical object of a row's tags,
// made once for rows that have the same. Empty values are left out.
func (w intern) labels(pairs ...string) string {
	key := strings.Join(pairs, "\x00")
	if v, ok := w[key]; ok {
		return v
	}
	rest := map[string]string{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			rest[pairs[i]] = cutTag(pairs[i+1])
		}
	}
	v := canonicalObject(rest)
	if len(w) < maxWords && len(key) <= maxTag {
		w[key] = v
	}
	return v
}
