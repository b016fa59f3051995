package ingest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"headroom/internal/golden"
)

// TestFormatsPage keeps docs/formats/index.md equal to what the importers say of
// themselves; `go test ./ingest -run TestFormatsPage -update` writes it.
func TestFormatsPage(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("# The formats\n\nMade from the importers by `go test ./ingest -run TestFormatsPage -update`; not to be edited. `headroom formats NAME`\nprints the same.\n\n")
	b.WriteString("Which file is of which format: [recognition.md](recognition.md). Files of no listed format: [mapping.md](mapping.md). What\ntools print of themselves, beside what headroom computes: [agreement.md](agreement.md).\n\n")
	b.WriteString("| format | what it is | gives |\n|---|---|---|\n")
	for _, im := range All {
		title, _, _ := strings.Cut(im.Doc, "\n")
		fmt.Fprintf(&b, "| [%s](#%s) | %s | %s |\n", im.Name, im.Name, cell(title), cell(kindsOf(im)))
	}
	for _, im := range All {
		title, text, _ := strings.Cut(im.Doc, "\n")
		fmt.Fprintf(&b, "\n## %s\n\n**%s**\n\n%s\n\n", im.Name, escapeText(title), escapeText(strings.TrimSpace(text)))
		for _, list := range []struct {
			name  string
			lines []string
		}{{"Gives", im.Gives}, {"Lacks", im.Lacks}} {
			fmt.Fprintf(&b, "%s:\n\n", list.name)
			for _, line := range list.lines {
				fmt.Fprintf(&b, "- %s\n", escapeText(line))
			}
			if list.name == "Gives" {
				b.WriteByte('\n')
			}
		}
	}
	golden.Equal(t, filepath.Join("..", "docs", "formats", "index.md"), b.Bytes())
}

// kindsOf returns the tables that a format fills, each once.
func kindsOf(im *Importer) string {
	var kinds []string
	for _, line := range im.Gives {
		kind, _, _ := strings.Cut(line, " ")
		kind, _, _ = strings.Cut(strings.Trim(kind, ":,"), "/")
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return strings.Join(kinds, ", ")
}

// escapeText keeps Markdown from reading stars, angle brackets and underscores.
func escapeText(text string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "<", `\<`, "_", `\_`, "[", `\[`, "`", "\\`", "#", `\#`).Replace(text)
}

func cell(text string) string { return strings.ReplaceAll(escapeText(text), "|", `\|`) }

// recognised are the files that TestRecognition knows, by the importers that claim
// them.
type recognised struct{ format, file string }

// TestRecognition shows every input of every case, and, in docs/formats, every
// file of the corpus, to every importer: no file is claimed by two. The table is
// written by -update.
func TestRecognition(t *testing.T) {
	root := sharedFolder(t, "HEADROOM_CORPUS", "corpus", "INDEX-load.tsv")
	var claims []recognised
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Dir(path) == root {
			return err // the indexes lie beside the folders
		}
		rel, err := filepath.Rel(root, path)
		if err == nil {
			claims = append(claims, recognised{claimsOf(t, path), filepath.ToSlash(rel)})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, c := range claims {
		if strings.Contains(c.format, " and ") {
			t.Errorf("%s is claimed by %s", c.file, c.format)
		}
		if !strings.HasPrefix(c.format, "(") {
			read++
		}
	}
	t.Logf("%d of %d files are of formats that are read", read, len(claims))
	if os.Getenv("HEADROOM_CORPUS") != "" {
		return // the table is of the corpus that the project was made with
	}
	var b bytes.Buffer
	b.WriteString("# Which format claims which file\n\nEvery file of the corpus, as its content alone is recognised, whatever its name; made by\n`go test ./ingest -run TestRecognition -update`. No file is claimed by two.\n\n")
	fmt.Fprintf(&b, "%d of %d files are read.\n\n| file | format |\n|---|---|\n", read, len(claims))
	for _, c := range claims {
		fmt.Fprintf(&b, "| %s | %s |\n", cell(c.file), cell(c.format))
	}
	golden.Equal(t, filepath.Join("..", "docs", "formats", "recognition.md"), b.Bytes())
}

// claimsOf names the importers that claim a file: one, several joined by "and",
// or what is in the way in brackets.
func claimsOf(t *testing.T, path string) string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c, err := NewContent(path, f, Limits{})
	if err != nil {
		return "(empty)"
	}
	defer c.Close()
	var claims []string
	for _, im := range All {
		if im.Sniff(c.Head) {
			claims = append(claims, im.Name)
		}
	}
	if len(claims) == 0 {
		return "(not recognised)"
	}
	return strings.Join(claims, " and ")
}
