package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "headroom"

// house is the parsed source of the module.
type house struct {
	required []string // modules in go.mod
	fset     *token.FileSet
	files    map[string]*ast.File // by slash path from the root
	imported map[string]bool      // third-party modules
}

func newHouse(required []string) *house {
	return &house{required, token.NewFileSet(), map[string]*ast.File{}, map[string]bool{}}
}

func (h *house) add(name string, src []byte) error {
	f, err := parser.ParseFile(h.fset, name, src, 0)
	h.files[name] = f
	return err
}

// faults returns what the house does not allow, in order of file and line.
func (h *house) faults() []string {
	var out []string
	verdicts := h.functionsOf("analyze")
	for _, name := range slices.Sorted(maps.Keys(h.files)) {
		from := roomOf(path.Dir(name))
		c := &checker{house: h, room: from, test: strings.HasSuffix(name, "_test.go"), verdicts: verdicts}
		if _, ok := rooms[from]; !ok {
			c.fault(h.files[name].Package, "no room", "%s is not in the house", path.Dir(name))
		} else {
			c.check(h.files[name])
		}
		slices.Sort(c.out)
		out = append(out, slices.Compact(c.out)...)
	}
	return out
}

// direct returns the third-party modules that our files import; call it after
// faults.
func (h *house) direct() []string { return slices.Sorted(maps.Keys(h.imported)) }

// functionsOf returns the names of the functions a room exports.
func (h *house) functionsOf(room string) map[string]bool {
	names := map[string]bool{}
	for name, f := range h.files {
		if path.Dir(name) != room || strings.HasSuffix(name, "_test.go") {
			continue
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.IsExported() {
				names[fn.Name.Name] = true
			}
		}
	}
	return names
}

// roomOf returns the room that a folder belongs to: the longest name in the
// house that is the folder or above it, or the folder itself.
func roomOf(dir string) string {
	for d := dir; d != "."; d = path.Dir(d) {
		if _, ok := rooms[d]; ok {
			return d
		}
	}
	return dir
}

// reach returns the rooms that a room may import, or import through another.
func reach(name string) []string {
	seen := []string{name}
	for i := 0; i < len(seen); i++ {
		for _, to := range rooms[seen[i]].imports {
			if !slices.Contains(seen, to) {
				seen = append(seen, to)
			}
		}
	}
	return seen
}

// checker checks one file.
type checker struct {
	*house
	room     string
	test     bool
	verdicts map[string]bool // functions of analyze, not for render
	out      []string
}

func (c *checker) fault(pos token.Pos, what, why string, args ...any) {
	p := c.fset.Position(pos)
	c.out = append(c.out, fmt.Sprintf("%s:%d: %s (%s)", p.Filename, p.Line, what, fmt.Sprintf(why, args...)))
}

func (c *checker) check(f *ast.File) {
	names := map[string]string{} // of imports in this file
	for _, spec := range f.Imports {
		p, _ := strconv.Unquote(spec.Path.Value)
		name := path.Base(strings.TrimSuffix(p, "/v2"))
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = p
		c.checkImport(spec.Pos(), p)
	}
	if c.test {
		return
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			if !rooms[c.room].spawns {
				c.fault(n.Pos(), "starts a goroutine", "%s is a plain loop", c.room)
			}
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Obj == nil { // not a local variable of that name
				c.checkUse(n.Pos(), names[x.Name], n.Sel.Name)
			}
		}
		return true
	})
}

func (c *checker) checkImport(pos token.Pos, p string) {
	r := rooms[c.room]
	inside, ours := strings.CutPrefix(p, module+"/")
	first, _, _ := strings.Cut(p, "/")
	switch {
	case ours:
		to := roomOf(inside)
		allowed := append([]string{c.room}, r.imports...)
		if c.test {
			allowed = append(reach(c.room), testRooms...)
		}
		if !r.any && !slices.Contains(allowed, to) {
			c.fault(pos, "imports "+to, "%s may import %v", c.room, allowed)
		}
	case strings.Contains(first, "."):
		mod := c.moduleOf(p)
		c.imported[mod] = true
		if !slices.Contains(r.doors, mod) && !(c.test && slices.Contains(testModules, mod)) {
			c.fault(pos, "imports "+mod, "its door is elsewhere")
		}
	case !c.test && r.pure && touches(first):
		c.fault(pos, "imports "+p, "%s touches nothing", c.room)
	case !c.test && !r.world && first == "log":
		c.fault(pos, "imports "+p, "libraries return warnings, they do not log")
	}
}

// moduleOf returns the required module that holds the package p. Several
// modules make one SDK; they count as one.
func (c *checker) moduleOf(p string) string {
	if strings.HasPrefix(p, aws) {
		return aws
	}
	best := ""
	for _, m := range c.required {
		if (p == m || strings.HasPrefix(p, m+"/")) && len(m) > len(best) {
			best = m
		}
	}
	if best == "" {
		return p
	}
	return best
}

func touches(std string) bool {
	return slices.Contains([]string{"os", "net", "syscall", "plugin", "unsafe"}, std)
}

// checkUse refuses what makes a result depend on when and where it was made.
func (c *checker) checkUse(pos token.Pos, p, name string) {
	r := rooms[c.room]
	said := func(names ...string) bool { return slices.Contains(names, name) }
	switch p {
	case "time":
		if !r.world && said("Now", "Since", "Until") || !r.timers && said("Sleep", "After", "AfterFunc", "Tick", "NewTicker", "NewTimer") {
			c.fault(pos, "uses time."+name, "the clock is passed in by cmd")
		}
	case "os":
		if !r.world && said("Getenv", "LookupEnv", "Environ", "ExpandEnv", "Args", "Exit", "Stdin", "Stdout", "Stderr") {
			c.fault(pos, "uses os."+name, "the environment is passed in by cmd")
		}
	case "math/rand", "math/rand/v2":
		if !r.world && !strings.HasPrefix(name, "New") && !said("Rand", "Source", "PCG", "ChaCha8", "Zipf") {
			c.fault(pos, "uses "+p+"."+name, "random numbers come from a seed that is a parameter")
		}
	case "crypto/rand":
		if !r.world {
			c.fault(pos, "uses "+p+"."+name, "the same input must give the same bytes")
		}
	case module + "/analyze":
		if c.room == "render" && c.verdicts[name] {
			c.fault(pos, "calls analyze."+name, "render takes types, it judges nothing")
		}
	}
}

// requirements returns the modules that go.mod requires.
func requirements(t *testing.T, file string) []string {
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var mods []string
	for line := range strings.Lines(string(b)) {
		f := strings.Fields(strings.TrimPrefix(line, "require "))
		if len(f) >= 2 && strings.Contains(f[0], ".") && strings.HasPrefix(f[1], "v") {
			mods = append(mods, f[0])
		}
	}
	return mods
}

// goFiles returns the Go files of the module by slash path from its root; test
// data, hidden folders and nested modules are not of it.
func goFiles(t *testing.T, root string) map[string][]byte {
	files := map[string][]byte{}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && p != root && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") || exists(filepath.Join(p, "go.mod"))):
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(p) != ".go":
			return nil
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		files[filepath.ToSlash(rel)], err = os.ReadFile(p)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
