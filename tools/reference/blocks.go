package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

// blocks are the engines that run inside suites: the struct with their options, and the command with the same flags.
var blocks = map[string]struct{ options, command string }{
	"tool_quality": {"lintWith", "schema-lint"},
	"schema_lint":  {"lintWith", "schema-lint"},
	"conform":      {"conformWith", "conform"},
	"fuzz":         {"fuzzWith", "fuzz"},
	"performance":  {"loadWith", "load"},
}

// blockOptions are the options of each block, with the texts of the flags.
func blockOptions(root string, commands *cobra.Command) (map[string]*table, error) {
	all := map[string]*table{}
	files, err := filepath.Glob(filepath.Join(root, "internal", "suiterun", "*block*.go"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		source, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			return nil, err
		}
		ast.Inspect(source, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			for name, b := range blocks {
				if body, isStruct := spec.Type.(*ast.StructType); isStruct && spec.Name.Name == b.options {
					cmd, _, err := commands.Find([]string{b.command})
					if err != nil {
						panic(err)
					}
					all[name] = asFlags(body, cmd)
				}
			}
			return true
		})
	}
	return all, nil
}

// asFlags shows the fields of a struct with the texts of the flags of the same names.
func asFlags(body *ast.StructType, cmd *cobra.Command) *table {
	found := &table{head: []string{"option", "type", "meaning"}}
	fields(body, found)
	for _, row := range found.rows {
		if f := cmd.Flag(strings.ReplaceAll(strings.Trim(row[0], "`"), "_", "-")); f != nil {
			row[2] = strings.ReplaceAll(f.Usage, "|", `\|`)
		}
		row[1] = strings.NewReplacer("array of ", "list of ", "object", "any value", "boolean", "true or false",
			"strings", "text", "string", "text").Replace(row[1])
	}
	return found
}
