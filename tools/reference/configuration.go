package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/config"
	"github.com/mcptest-dev/mcptest/internal/surface/cli"
)

// configuration is the page about config files and variables; root is the folder of the module.
func configuration(root string) (string, error) {
	var b strings.Builder
	b.WriteString("# Config files and environment variables\n\n## Files that name servers\n\n" +
		"mcptest reads the files that hosts have. Comments and trailing commas are fine; a bad entry hides no other. The first that names a server counts; " +
		"`host:name` asks for that of one host, `--config FILE` for that file alone. `mcptest servers` lists what was found. Servers stand under `mcpServers` or `servers`.\n\n")
	b.WriteString(places() + "\n## Keys of a server\n\n")
	keys := table{head: []string{"key", "type", "meaning", "example"}}
	for _, k := range config.Keys() {
		name := code(k.Names[0])
		if len(k.Names) > 1 {
			name += " (also `" + strings.Join(k.Names[1:], "`, `") + "`)"
		}
		keys.row(name, k.Type, k.Doc, code(k.Example))
	}
	b.WriteString(keys.String() + "\nOther keys are the host's business and left alone. In values these are replaced when the server is used:\n\n")
	holders := table{head: []string{"placeholder", "what it becomes"}}
	for _, p := range config.Placeholders() {
		holders.row(code(p.Text), p.Doc)
	}
	b.WriteString(holders.String() + "\n## Settings of a gateway\n\nThe member `gateway` of the file that `mcptest gateway --config FILE` reads. [The gateway](../gateway.md) tells more.\n\n")
	if err := gatewaySettings(&b, root); err != nil {
		return "", err
	}
	b.WriteString("## Environment variables\n\nThose that mcptest itself reads; a server gets a short list of harmless ones and those that you name.\n\n")
	variables := table{head: []string{"variable", "meaning"}}
	for _, v := range cli.Variables() {
		variables.row("`"+strings.ReplaceAll(v.Name, ", ", "`, `")+"`", v.Doc)
	}
	b.WriteString(variables.String())
	return b.String(), nil
}

// places are the files of a machine with Linux, and where they are elsewhere.
func places() string {
	t := table{head: []string{"file", "host", "whose"}}
	for _, p := range config.Places(config.System{GOOS: "linux", Home: "~", Dir: ".", Lookup: func(string) (string, bool) { return "", false }}) {
		t.row(code(filepath.ToSlash(p.File)), p.Host, p.Whom)
	}
	return t.String() + "\nInside a repository the project's files are looked for in the directories above, too. `~/.config` is `~/Library/Application Support` on macOS\n" +
		"and `%APPDATA%` on Windows. The servers of a project's file may be anybody's: `check --all` starts them only with `--include-project`.\n"
}

// A setting is a struct whose fields are keys of the gateway's settings.
type setting struct{ folder, name, title string }

var settings = []setting{
	{"internal/workbench", "gatewaySettings", ""},
	{"internal/gateway/access", "Config", ""},
	{"internal/gateway/access", "CallerConfig", "`callers`, each:"},
	{"internal/gateway/access", "JWTConfig", "`jwt`:"},
}

func gatewaySettings(b *strings.Builder, root string) error {
	top := table{head: []string{"key", "type", "meaning"}}
	for _, s := range settings {
		into := &top
		if s.title != "" {
			into = &table{head: top.head}
		}
		if err := s.read(filepath.Join(root, filepath.FromSlash(s.folder)), into); err != nil {
			return err
		}
		if s.title != "" {
			fmt.Fprintf(b, "%s\n\n%s\n", s.title, into)
		} else if s.name == "Config" {
			fmt.Fprintf(b, "%s\n", &top)
		}
	}
	return nil
}

// read adds the fields of the struct, with what the source says about them.
func (s setting) read(dir string, into *table) error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	found := false
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		source, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, f.Name()), nil, parser.ParseComments)
		if err != nil {
			return err
		}
		ast.Inspect(source, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if ok && spec.Name.Name == s.name {
				if body, isStruct := spec.Type.(*ast.StructType); isStruct {
					found = true
					fields(body, into)
				}
			}
			return true
		})
	}
	if !found {
		return fmt.Errorf("%s has no struct %s", s.folder, s.name)
	}
	return nil
}

func fields(body *ast.StructType, into *table) {
	for _, f := range body.Fields.List {
		if f.Tag == nil {
			continue
		}
		text, _ := strconv.Unquote(f.Tag.Value) // the parser has read it
		key, _, _ := strings.Cut(reflect.StructTag(text).Get("json"), ",")
		into.row(code(key), kindOf(f.Type), strings.Join(strings.Fields(f.Comment.Text()), " "))
	}
}

// kindOf names a type of Go as people who write JSON do.
func kindOf(e ast.Expr) string {
	switch t := e.(type) {
	case *ast.ArrayType:
		return "array of " + strings.TrimSuffix(kindOf(t.Elt), "s") + "s"
	case *ast.StarExpr:
		return kindOf(t.X)
	case *ast.Ident:
		switch t.Name {
		case "string":
			return "string"
		case "bool":
			return "boolean"
		case "int", "float64":
			return "number"
		case "duration":
			return "string: a time"
		}
	}
	return "object"
}
