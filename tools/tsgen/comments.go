package main

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
)

// comments are the comments of fields in the sources, by "Type.Field". Reflection does not provide them.
type comments map[string]string

const module = "github.com/mcptest-dev/mcptest/"

// read adds the comments of a package; root is the folder of the module.
func (c comments) read(root, pkg string) error {
	dir := filepath.Join(filepath.FromSlash(root), filepath.FromSlash(strings.TrimPrefix(pkg, module)))
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		source, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, f.Name()), nil, parser.ParseComments)
		if err != nil {
			return err
		}
		c.file(pkg, source)
	}
	return nil
}

func (c comments) file(pkg string, source *ast.File) {
	ast.Inspect(source, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		if s, ok := spec.Type.(*ast.StructType); ok {
			for _, f := range s.Fields.List {
				for _, name := range f.Names {
					text := cmp.Or(f.Comment.Text(), f.Doc.Text()) // long comments are above the field
					c[pkg+"."+spec.Name.Name+"."+name.Name] = strings.Join(strings.Fields(text), " ")
				}
			}
		}
		return true
	})
}

func (c comments) of(t reflect.Type, field string) string {
	text := c[t.PkgPath()+"."+t.Name()+"."+field]
	if text == "" {
		return ""
	}
	return " // " + text
}
