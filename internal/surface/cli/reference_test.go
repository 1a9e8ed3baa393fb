package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// Every variable of the environment that the program reads is among Variables, and every one there is read.
func TestVariablesAreAllThatIsRead(t *testing.T) {
	read := map[string]string{}
	for _, root := range []string{"../../../internal", "../../../cmd", "../../../web"} {
		err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") ||
				ofTests(name) {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			if err != nil {
				return err
			}
			variablesOf(t, filepath.ToSlash(strings.TrimPrefix(name, "../../../")), file, read)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var known []string
	for _, v := range Variables() {
		names := strings.Split(v.Name, ", ")
		known = append(known, names...)
		for _, name := range names {
			if _, ok := read[name]; !ok && !strings.HasSuffix(name, "*") {
				t.Errorf("Variables has %s, which nothing reads", name)
			}
		}
	}
	for name, where := range read {
		if !slices.Contains(known, name) && !(strings.HasPrefix(name, "OTEL_") && slices.Contains(known, "OTEL_*")) {
			t.Errorf("%s reads %s, which is not among Variables (internal/surface/cli/reference.go)", where, name)
		}
	}
}

// ofTests tells the files of packages that are for tests alone.
func ofTests(name string) bool {
	return slices.ContainsFunc([]string{"/wiretest/", "/realdata/", "/systrace/"},
		func(part string) bool { return strings.Contains(filepath.ToSlash(name), part) })
}

// hidden are functions of the standard library that read variables by themselves.
var hidden = map[string][]string{
	"UserHomeDir": {"HOME"}, "UserConfigDir": {"XDG_CONFIG_HOME", "APPDATA"}, "MkdirTemp": {"TMPDIR"},
	"TempDir": {"TMPDIR"}, "LookPath": {"PATH"},
	"ProxyFromEnvironment": {"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"},
}

// named are the files that look up variables whose names a person gave, or that are listed where they are called.
var named = []string{"internal/config/expand.go", "internal/config/places.go", "internal/target/configured.go",
	"internal/target/environment.go", "internal/target/header.go",
	"internal/gateway/tracing/tracing.go", "internal/ops/signin/auth.go", "internal/workbench/tokens.go",
	"internal/workbench/grants.go", "internal/gateway/store.go",
	// the last looks up no variables
	"internal/connections/headerenv.go", "internal/engine/suite/load.go", "internal/suiterun/run.go",
	"internal/protocol/schema/report.go"}

func variablesOf(t *testing.T, name string, file *ast.File, read map[string]string) {
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			for _, variable := range hidden[s.Sel.Name] {
				read[variable] = name
			}
		}
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 || !looksUp(call.Fun) {
			return true
		}
		literal, ok := call.Args[0].(*ast.BasicLit)
		if !ok {
			if !slices.Contains(named, name) {
				t.Errorf("%s looks up a variable by a name that is computed; use a literal, or list the file here",
					name)
			}
			return true
		}
		variable, err := strconv.Unquote(literal.Value)
		if err != nil {
			t.Fatal(err)
		}
		read[variable] = name
		return true
	})
}

// looksUp reports whether a function is one by which this program reads a variable.
func looksUp(fun ast.Expr) bool {
	switch f := fun.(type) {
	case *ast.SelectorExpr:
		if of, ok := f.X.(*ast.Ident); ok && f.Sel.Name == "Lookup" && (of.Name == "demo" || of.Name == "flags") {
			return false
		}
		return slices.Contains([]string{"Getenv", "LookupEnv", "Lookup", "variable"}, f.Sel.Name)
	case *ast.Ident:
		return f.Name == "lookup"
	}
	return false
}

// Every command can be learnt from its help: it has a title, and an example unless it only groups others.
func TestCommandsAreExplained(t *testing.T) {
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		if cmd.Name() == "completion" {
			return
		}
		if cmd.Short == "" {
			t.Errorf("%s has no title", cmd.CommandPath())
		}
		for _, line := range strings.Split(ArgumentsOf(cmd), "\n") {
			if name, meaning, _ := strings.Cut(line, "\t"); name != "" && meaning == "" {
				t.Errorf("%s does not say what %s is", cmd.CommandPath(), name)
			}
		}
		if !cmd.HasSubCommands() && !strings.Contains(cmd.Example, cmd.CommandPath()) {
			t.Errorf("%s has no example", cmd.CommandPath())
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(Commands())
}
