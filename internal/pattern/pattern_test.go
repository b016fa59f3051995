package pattern

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestAllCompile compiles every pattern of the module: what is compiled when it
// is first asked must not fail then.
func TestAllCompile(t *testing.T) {
	found := 0
	root := os.DirFS("../..")
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (strings.HasPrefix(d.Name(), ".") && name != "." || d.Name() == "node_modules") {
			if err == nil {
				err = fs.SkipDir
			}
			return err
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		src, err := fs.ReadFile(root, name)
		if err != nil || !strings.Contains(string(src), "pattern.New(") {
			return err
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, src, 0)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !isNew(call.Fun) {
				return true
			}
			found++
			literal, ok := call.Args[0].(*ast.BasicLit)
			if !ok {
				t.Errorf("%s: not a literal", fset.Position(call.Pos()))
				return true
			}
			expr, err := strconv.Unquote(literal.Value)
			if err == nil {
				_, err = regexp.Compile(expr)
			}
			if err != nil {
				t.Errorf("%s: %v", fset.Position(call.Pos()), err)
			}
			return true
		})
		return nil
	})
	if err != nil || found < 50 {
		t.Errorf("%d patterns were found: %v", found, err)
	}
}

// isNew reports whether a call is of pattern.New.
func isNew(fun ast.Expr) bool {
	s, ok := fun.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != "New" {
		return false
	}
	x, ok := s.X.(*ast.Ident)
	return ok && x.Name == "pattern"
}

// TestCompiledOnce: a pattern answers as the expression does.
func TestCompiledOnce(t *testing.T) {
	p := New(`(\d+)-(\d+)`)
	if m := p.FindStringSubmatch("a 12-34"); len(m) != 3 || m[1] != "12" || m[2] != "34" {
		t.Errorf("submatches %q", m)
	}
	if first := p.compiled(); first != p.compiled() || p.ReplaceAllString("1-2", "$2") != "2" {
		t.Error("it is not compiled once, or replaces otherwise")
	}
}
