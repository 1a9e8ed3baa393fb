package main

import (
	"cmp"
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
	b.WriteString("# Config files and environment variables\n\n## Files that define servers\n\n" +
		"mcptest reads the config files of hosts. Comments and trailing commas are allowed; an invalid entry does " +
		"not affect the others. The first file that defines a server is used; " +
		"`host:name` selects that of one host, `--config FILE` reads only that file. `mcptest servers` lists all " +
		"servers. Servers are under `mcpServers` or `servers`.\n\n")
	b.WriteString(configFiles() + "\n## Keys of a server\n\n")
	keys := table{head: []string{"key", "type", "meaning", "example"}}
	for _, k := range config.Keys() {
		name := code(k.Names[0])
		if len(k.Names) > 1 {
			name += " (also `" + strings.Join(k.Names[1:], "`, `") + "`)"
		}
		keys.row(name, k.Type, k.Doc, code(k.Example))
	}
	b.WriteString(keys.String() + "\nOther keys are ignored. These placeholders in values are replaced when the " +
		"server is used:\n\n")
	holders := table{head: []string{"placeholder", "value"}}
	for _, p := range config.Placeholders() {
		holders.row(code(p.Text), p.Doc)
	}
	b.WriteString(holders.String() + "\n## Settings of a gateway\n\nThe property `gateway` of the file that `mcptest " +
		"gateway --config FILE` reads. See [mcptest gateway](../gateway.md).\n\n")
	if err := gatewaySettings(&b, root); err != nil {
		return "", err
	}
	b.WriteString("## Environment variables\n\nThese are the variables that mcptest itself reads; a server gets a " +
		"short list of harmless variables and those that you name.\n\n")
	variables := table{head: []string{"variable", "meaning"}}
	for _, v := range cli.Variables() {
		variables.row("`"+strings.ReplaceAll(v.Name, ", ", "`, `")+"`", v.Doc)
	}
	b.WriteString(variables.String())
	return b.String(), nil
}

// configFiles lists the files on Linux, and their locations on other systems.
func configFiles() string {
	t := table{head: []string{"file", "host", "scope"}}
	for _, p := range config.Locations(config.System{GOOS: "linux", Home: "~", Dir: ".",
		Lookup: func(string) (string, bool) { return "", false }}) {
		t.row(code(filepath.ToSlash(p.File)), p.Host, p.Whom)
	}
	return t.String() + "\nInside a repository, the project's files are also searched in the parent directories. " +
		"`~/.config` is `~/Library/Application Support` on macOS\n" +
		"and `%APPDATA%` on Windows. The servers in a project's file may come from anyone: `check --all` starts them " +
		"only with `--include-project`.\n"
}

// A setting is a struct whose fields are keys of the gateway's settings.
type setting struct{ folder, name, title string }

var settings = []setting{
	{"internal/gateway", "gatewaySettings", ""},
	{"internal/gateway/access", "Config", ""},
	{"internal/gateway", "serverSettings", "`servers`, for each server:"},
	{"internal/gateway", "oauthSettings", "`oauth` of `servers`:"},
	{"internal/gateway", "embeddingSettings", "`embeddings`:"},
	{"internal/gateway", "accountSettings", "`accounts`:"},
	{"internal/gateway", "signInSettings", "`sign_in` of `accounts`:"},
	{"internal/gateway", "secretSource", "`client_secret`, `client_key`, `key` and each of `keys` name one place to read a secret from:"},
	{"internal/gateway", "toolRule", "`tools`, each:"},
	{"internal/gateway", "gatewayLock", "`lock`:"},
	{"internal/gateway/access", "CallerConfig", "`callers`, each:"},
	{"internal/gateway/access", "JWTConfig", "`jwt`:"},
	{"internal/gateway/access", "RoleConfig", "`roles` of `jwt`, each:"},
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

// read adds the fields of the struct, with their comments in the source.
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
		text, _ := strconv.Unquote(f.Tag.Value) // the parser has validated it
		key, _, _ := strings.Cut(reflect.StructTag(text).Get("json"), ",")
		comment := cmp.Or(f.Comment.Text(), f.Doc.Text()) // long comments are above the field
		into.row(code(key), kindOf(f.Type), strings.Join(strings.Fields(comment), " "))
	}
}

// kindOf returns the JSON name of a Go type.
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
