package ingest

import "strings"

// ofOne puts a note that begins with a count of one into the singular: "1 rows have
// no time" is "1 row has no time". Notes are written for many.
func ofOne(note string) string {
	rest, ok := strings.CutPrefix(note, "1 ")
	if !ok || strings.HasPrefix(rest, "of ") {
		return note
	}
	tail := ""
	if i := strings.IndexAny(rest, ":;"); i >= 0 { // another sentence
		rest, tail = rest[:i], rest[i:]
	}
	rest = ofOneFurther.Replace(rest)
	phrase, more, found := strings.Cut(rest, ",")
	if found {
		tail = "," + more + tail
	}
	words := strings.Split(phrase, " ")
	noun := -1
	for i, w := range words {
		verb, isVerb := ofOneVerbs[w]
		if noun < 0 && i > 0 && (isVerb || ofOneParts[w] || strings.HasPrefix(w, "(")) {
			noun = i - 1
		}
		if isVerb {
			words[i] = verb
			break
		}
	}
	if noun < 0 {
		noun = len(words) - 1
	}
	words[noun] = singular(words[noun])
	return "1 " + strings.Join(words, " ") + tail
}

// ofOneVerbs are the verbs that notes begin with after what they count.
var ofOneVerbs = map[string]string{
	"are": "is", "were": "was", "have": "has", "do": "does", "belong": "belongs", "carry": "carries", "share": "shares",
	"stand": "stands", "lie": "lies", "end": "ends", "occur": "occurs", "continue": "continues", "hold": "holds", "got": "got",
	"failed": "failed", "ran": "ran", "started": "started", "span": "spans",
}

// ofOneFurther are their further verbs.
var ofOneFurther = strings.NewReplacer(" and were ", " and was ", " and are ", " and is ", " and count ", " and counts ")

// ofOneParts begin what follows the noun that is counted.
var ofOneParts = map[string]bool{"of": true, "between": true, "in": true, "with": true, "without": true}

func singular(noun string) string {
	switch {
	case noun == "series" || !strings.HasSuffix(noun, "s"):
		return noun
	case strings.HasSuffix(noun, "ies"):
		return strings.TrimSuffix(noun, "ies") + "y"
	}
	return strings.TrimSuffix(noun, "s")
}
