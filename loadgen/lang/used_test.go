package lang

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestIDsAreUsed by a file that is no test: as lang.Name, or for
// words that belong to a name of another package ("key-rate") by a string of
// that name.
func TestIDsAreUsed(t *testing.T) {
	names, texts := usedIn(t, "../..")
	files, err := filepath.Glob("ids*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no source with ids:", err)
	}
	all := map[string]string{}
	for _, file := range files {
		maps.Copy(all, idsOf(t, file))
	}
	for name, id := range all {
		_, word, _ := strings.Cut(id, "-")
		byWord := strings.HasPrefix(id, "key-") || strings.HasPrefix(id, "help-") || strings.HasPrefix(id, "group-") ||
			!ast.IsExported(name) // phase-, arrivals-, do-: see Catalogue
		if !names[name] && !texts[id] && (!byWord || !texts[word]) {
			t.Errorf("nothing says %s (%q)", name, id)
		}
	}
}

// idsOf reads the constants of a file.
func idsOf(t *testing.T, file string) map[string]string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string]string)
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.ValueSpec); ok {
			id, err := strconv.Unquote(s.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			out[s.Names[0].Name] = id
		}
		return true
	})
	return out
}

// usedIn collects the X of every lang.X and every string of the module's files
// that are no tests and not in this package.
func usedIn(t *testing.T, root string) (names, texts map[string]bool) {
	t.Helper()
	names, texts = map[string]bool{}, map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "lang" || len(d.Name()) > 2 && d.Name()[0] == '.') {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && x.Name == "lang" {
					names[n.Sel.Name] = true
				}
			case *ast.BasicLit:
				if s, err := strconv.Unquote(n.Value); err == nil {
					texts[s] = true
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names, texts
}
