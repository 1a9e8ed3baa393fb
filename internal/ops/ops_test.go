package ops_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/ops"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// All lists each operation that a package declares, once. The surfaces offer nothing else.
func TestAllListsEveryOperation(t *testing.T) {
	declared := declaredOperations(t)
	if len(declared) < 40 {
		t.Fatalf("found %d declarations, expected those of the whole module: %v", len(declared), declared)
	}
	listed := map[string]bool{}
	file, err := parser.ParseFile(token.NewFileSet(), "ops.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if s, ok := call.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Operation" {
				listed[qualified(s.X)] = true
			}
		}
		return true
	})
	for _, name := range declared {
		if !listed[name] {
			t.Errorf("ops.All does not list %s", name)
		}
	}
	if got := len(ops.All()); got != len(declared) {
		t.Errorf("ops.All has %d entries, expected one for each of the %d declarations", got, len(declared))
	}
}

// declaredOperations are the exported variables of the type workbench.Op, as All names them.
func declaredOperations(t *testing.T) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			d, ok := decl.(*ast.GenDecl)
			if !ok || d.Tok != token.VAR {
				continue
			}
			for _, spec := range d.Specs {
				if v := spec.(*ast.ValueSpec); len(v.Values) == 1 && isOperation(v.Values[0]) {
					all = append(all, strings.TrimPrefix(file.Name.Name+"."+v.Names[0].Name, "ops."))
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// isOperation reports whether an expression is an operation: a literal of the type, or a call of a function whose
// name ends with Op.
func isOperation(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CompositeLit:
		index, ok := e.Type.(*ast.IndexListExpr)
		return ok && qualified(index.X) == "workbench.Op"
	case *ast.CallExpr:
		name, ok := e.Fun.(*ast.Ident)
		return ok && strings.HasSuffix(name.Name, "Op")
	}
	return false
}

func qualified(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return qualified(e.X) + "." + e.Sel.Name
	}
	return ""
}

// Every operation declares its position: below a parent, or in a section that no other command occupies.
func TestPositionsAreUnique(t *testing.T) {
	at, names := map[string]string{}, map[string]bool{}
	for _, op := range ops.All() {
		if names[op.Name] {
			t.Errorf("two operations have the name %q", op.Name)
		}
		names[op.Name] = true
		position, owner := fmt.Sprint(op.Section, " ", op.Order), op.Name
		parent, _, nested := strings.Cut(op.Name, " ")
		switch {
		case nested && op.Section != "":
			t.Errorf("%s: expected no section, as %s has one", op.Name, parent)
		case nested && op.Parent == nil && !names[parent]:
			t.Errorf("%s: expected a Parent, or an operation %s before it", op.Name, parent)
		case op.Parent != nil && op.Parent.Name != parent:
			t.Errorf("%s: its parent is %q", op.Name, op.Parent.Name)
		case op.Parent != nil:
			position, owner = fmt.Sprint(op.Parent.Section, " ", op.Parent.Order), op.Parent.Name
		}
		if other := at[position]; op.Section != "" && other != "" && other != owner {
			t.Errorf("%s and %s are both at %s", owner, other, position)
		}
		at[position] = owner
	}
}

// An operation without a page and a tool is for the command line only: those that start programs or listen.
func TestCommandsThatOnlyTheCommandLineHas(t *testing.T) {
	for _, name := range []string{"gateway", "tap", "mock", "lock", "approve", "catalog approve", "servers"} {
		op := find(t, name)
		if op.Page || op.Tool != "" {
			t.Errorf("%s: page %v, tool %q; expected neither", name, op.Page, op.Tool)
		}
	}
}

func find(t *testing.T, name string) workbench.Operation {
	t.Helper()
	for _, op := range ops.All() {
		if op.Name == name {
			return op
		}
	}
	t.Fatalf("unknown operation %q", name)
	return workbench.Operation{}
}
