package ingest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestAllIsComplete fails if a file declares an importer that All lacks.
func TestAllIsComplete(t *testing.T) {
	declared := map[string]bool{}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			if u, ok := spec.Values[0].(*ast.UnaryExpr); ok {
				if lit, ok := u.X.(*ast.CompositeLit); ok {
					if id, ok := lit.Type.(*ast.Ident); ok && id.Name == "Importer" {
						declared[spec.Names[0].Name] = true
					}
				}
			}
			return true
		})
	}
	text, err := os.ReadFile("all.go")
	if err != nil {
		t.Fatal(err)
	}
	for name := range declared {
		if !regexp.MustCompile(`\t` + name + `,\n`).Match(text) {
			t.Errorf("All lacks %s", name)
		}
	}
	if len(declared) != len(All) {
		t.Errorf("%d importers are declared and All has %d", len(declared), len(All))
	}
}

// TestAllAreDocumented checks what `headroom formats` prints.
func TestAllAreDocumented(t *testing.T) {
	seen := map[string]bool{}
	for _, im := range All {
		title, rest, _ := strings.Cut(im.Doc, "\n")
		switch {
		case !regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`).MatchString(im.Name), seen[im.Name]:
			t.Errorf("%q is no name, or that of two", im.Name)
		case len(title) == 0 || len(title) > 80 || strings.HasSuffix(title, ".") || !strings.HasPrefix(rest, "\n") || len(rest) < 80:
			t.Errorf("%s: the Doc needs a title, a blank line and a text", im.Name)
		case len(im.Gives) == 0 || len(im.Lacks) == 0 || im.Sniff == nil || im.Read == nil:
			t.Errorf("%s: Gives, Lacks, Sniff or Read is missing", im.Name)
		}
		seen[im.Name] = true
	}
}

// TestNoTwoClaimAFile shows every input of every case to every importer.
func TestNoTwoClaimAFile(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("testdata", "*", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	heads := map[string][]byte{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		_, files := parseArchive(string(text))
		for _, f := range files {
			heads[path+" "+f.name] = []byte(f.text)
		}
	}
	if len(heads) == 0 {
		t.Fatal("no cases")
	}
	for name, head := range heads {
		var claims []string
		for _, im := range All {
			if im.Sniff(head) {
				claims = append(claims, im.Name)
			}
		}
		if len(claims) > 1 {
			t.Errorf("%s is claimed by %v", name, claims)
		}
	}
}

// TestCorpusNoTwoClaimAFile does the same with every file of the corpus, of
// whatever format.
func TestCorpusNoTwoClaimAFile(t *testing.T) {
	root := sharedFolder(t, "HEADROOM_CORPUS", "corpus", "INDEX-load.tsv")
	claimed, files := 0, 0
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		c, err := NewContent(path, f, Limits{})
		if err != nil {
			return nil // empty files are in the corpus as well
		}
		defer c.Close()
		var claims []string
		for _, im := range All {
			if im.Sniff(c.Head) {
				claims = append(claims, im.Name)
			}
		}
		if len(claims) > 1 {
			t.Errorf("%s is claimed by %v", path, claims)
		}
		claimed += len(claims)
		files++
		return nil
	})
	if err != nil || claimed == 0 {
		t.Errorf("%d files were claimed, %v", claimed, err)
	}
	t.Logf("%d of %d files are of formats that are read", claimed, files)
}

// TestFuzzTargets fails for an importer that nothing fuzzes.
func TestFuzzTargets(t *testing.T) {
	list, err := os.ReadFile("all.go")
	if err != nil {
		t.Fatal(err)
	}
	targets, err := os.ReadFile("fuzz_targets_test.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, m := range regexp.MustCompile(`(?m)^\t([A-Z]\w+),$`).FindAllSubmatch(list, -1) {
		found++
		if !regexp.MustCompile(`fuzzImporter\(f, ` + string(m[1]) + `, `).Match(targets) {
			t.Errorf("%s has no target in fuzz_targets_test.go", m[1])
		}
	}
	if found != len(All) {
		t.Errorf("%d names in all.go, %d importers", found, len(All))
	}
}
