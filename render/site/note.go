package site

import (
	"bytes"
	"html"
	"strings"
	"time"

	"headroom/render/label"
	"headroom/render/md"
)

// The marks around a note, the same in HTML and Markdown. No document can hold
// them: a < of its data is always escaped.
const (
	noteBegin = "<!-- headroom:site -->\n"
	noteEnd   = "<!-- /headroom:site -->\n"
)

// mainStart is where the note of an HTML page goes: at the top of its main part.
const mainStart = "<main>\n"

// noted returns a page with a note, in place of the one that it has.
func noted(name string, page []byte, note string) []byte {
	page = Original(name, page)
	at := noteAt(name, page)
	if at < 0 {
		return page
	}
	out := make([]byte, 0, len(page)+len(note)+len(noteBegin)+len(noteEnd))
	out = append(append(out, page[:at]...), noteBegin...)
	out = append(append(out, note...), noteEnd...)
	return append(out, page[at:]...)
}

// Original returns a page of a version, index.html or index.md by its base name,
// as it was built: without the note that the site put on it. Other files are
// returned as they are.
func Original(name string, page []byte) []byte {
	at := noteAt(name, page)
	if at < 0 || !bytes.HasPrefix(page[at:], []byte(noteBegin)) {
		return page
	}
	end := bytes.Index(page[at:], []byte(noteEnd))
	if end < 0 {
		return page
	}
	return append(bytes.Clone(page[:at]), page[at+end+len(noteEnd):]...)
}

// noteAt is where the note of a page stands or would stand; -1 for a file that
// gets none.
func noteAt(name string, page []byte) int {
	switch name {
	case "index.md":
		return 0
	case indexFile:
		if i := bytes.Index(page, []byte(mainStart)); i >= 0 {
			return i + len(mainStart)
		}
	}
	return -1
}

// noteHTML says what a version is among the others, as an element of its page,
// and which of its runs were withdrawn.
func noteHTML(v, newest *Version) string {
	all := `<a href="../` + indexFile + `">All versions</a>`
	note := `<p class="kind" style="margin-top:1rem">Published as the newest version, ` + html.EscapeString(v.when()) + `. ` + all + "</p>\n"
	if v != newest {
		note = `<p class="verdict unknown" role="note" style="margin-top:1rem"><strong>Superseded</strong> <span>` + html.EscapeString(because(v, newest)) +
			` Its figures stand as they were published.</span> <a class="count" href="../` + html.EscapeString(newest.folder) + "/" + indexFile + `">Newest version</a> <a class="count" style="margin-left:0" href="../` + indexFile + `">All versions</a>` + "</p>\n"
	}
	if words := v.withdrawnWords(); words != "" {
		note += `<p class="verdict fail" role="note" style="margin-top:1rem"><strong>Withdrawn</strong> <span>` + html.EscapeString(words) + "</span></p>\n"
	}
	return note
}

// noteMarkdown says the same in Markdown.
func noteMarkdown(v, newest *Version) string {
	all := "[All versions](../" + indexFile + ")"
	note := "Published as the newest version, " + v.when() + ". " + all + "\n\n"
	if v != newest {
		note = "> **Superseded.** " + because(v, newest) + " Its figures stand as they were published.\n> [The newest version](../" +
			newest.folder + "/index.md) · " + all + "\n\n"
	}
	if words := v.withdrawnWords(); words != "" {
		note += "> **Withdrawn.** " + string(md.Escape(words, label.Line)) + "\n\n"
	}
	return note
}

// because says what superseded a version.
func because(v, newest *Version) string {
	switch {
	case v.sameEvidence(newest) && v.Body == newest.Body:
		return "Published under the date of " + day(v.Date) + "; the same document is dated " + day(newest.Date) + " since."
	case v.sameEvidence(newest):
		return upper(v.when()) + ", and analysed again since."
	case newest.replaces(v):
		return "Its runs, of " + day(v.Date) + ", were measured again under the same ids."
	}
	return upper(v.when()) + "; the newest version was " + newest.when() + "."
}

// upper begins a sentence of ASCII words.
func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// day writes a date as it is read: with the time of day, unless that is midnight
// to the second, as of a date that was given.
func day(t time.Time) string {
	if midnight(t) {
		return t.Format("2 January 2006")
	}
	return t.Format("2 January 2006, 15:04 UTC")
}

// short writes it for a column.
func short(t time.Time) string {
	if midnight(t) {
		return t.Format("2006-01-02")
	}
	return t.Format("2006-01-02 15:04 UTC")
}

func midnight(t time.Time) bool { return t.Equal(t.Truncate(24 * time.Hour)) }
