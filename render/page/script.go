package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"html/template"
	"strings"

	"headroom/templates"
)

// join returns our own files, one after the other.
func join(names ...string) (string, error) {
	var b strings.Builder
	for _, name := range names {
		text, err := templates.FS.ReadFile(name)
		if err != nil {
			return "", err
		}
		b.Write(text)
		b.WriteByte('\n')
	}
	return b.String(), nil
}

// scriptElement is the one script of a page, and its hash as a source of the
// content security policy (CSP level 2, hash-source): no other script runs.
func scriptElement(text string) (element template.HTML, hash string) {
	sum := sha256.Sum256([]byte(text))
	return template.HTML("<script>" + text + "</script>"), "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// dataElement holds JSON for the script. It is data to a browser, and cannot end
// the element: encoding/json writes < as \u003c.
func dataElement(id, class string, json []byte) string {
	if bytes.ContainsAny(json, "<>") {
		return ""
	}
	return "<script type=\"application/json\"" + attributes("id", id, "class", class) + ">" + string(json) + "</script>\n"
}
