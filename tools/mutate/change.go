package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
)

// A change replaces a part of a file.
type change struct {
	file       string
	line       int
	start, end int // offsets
	old, text  string
	source     []byte
}

func (c change) String() string {
	return fmt.Sprintf("%s:%d: %s -> %s", filepath.Base(c.file), c.line, c.old, c.text)
}

func (c change) apply() []byte {
	return append(append(append([]byte{}, c.source[:c.start]...), c.text...), c.source[c.end:]...)
}

// swaps are operators and what they become. A boundary moves by one, and a logical operator becomes the other one.
var swaps = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD: token.SUB, token.SUB: token.ADD,
}

// changesOf returns the changes of one file: swapped operators, negated conditions and boolean results, and omitted
// calls.
func changesOf(file string) ([]change, error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, source, 0)
	if err != nil {
		return nil, err
	}
	var all []change
	add := func(from, to token.Pos, text string) {
		start, end := set.Position(from).Offset, set.Position(to).Offset
		all = append(all, change{file: file, line: set.Position(from).Line, start: start, end: end,
			old: string(source[start:end]), text: text, source: source})
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if other, ok := swaps[n.Op]; ok && !joinsText(n) {
				add(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), other.String())
			}
		case *ast.IfStmt:
			condition := string(source[set.Position(n.Cond.Pos()).Offset:set.Position(n.Cond.End()).Offset])
			add(n.Cond.Pos(), n.Cond.End(), "!("+condition+")")
		case *ast.ReturnStmt:
			for _, result := range n.Results {
				if id, ok := result.(*ast.Ident); ok && (id.Name == "true" || id.Name == "false") {
					add(id.Pos(), id.End(), map[string]string{"true": "false", "false": "true"}[id.Name])
				}
			}
		case *ast.ExprStmt:
			if call, ok := n.X.(*ast.CallExpr); ok && !unobserved(call) {
				add(n.Pos(), n.End(), "{}")
			}
		}
		return true
	})
	return all, nil
}

// unobserved reports whether the omission of a call cannot be observed by a test of one run: locks, which only the race
// detector notices, and logging.
func unobserved(call *ast.CallExpr) bool {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	switch f.Sel.Name {
	case "Lock", "Unlock", "RLock", "RUnlock", "Debug", "Info", "Warn", "Error", "InfoContext", "WarnContext":
		return true
	}
	return false
}

// joinsText reports whether an expression is the concatenation of a text literal, which has no other operator.
func joinsText(n *ast.BinaryExpr) bool {
	for _, side := range []ast.Expr{n.X, n.Y} {
		if literal, ok := side.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			return n.Op == token.ADD || n.Op == token.SUB
		}
	}
	return false
}
