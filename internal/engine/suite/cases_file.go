package suite

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/document"
)

// caseFile reads the file of cases, if they are in one.
func (l *loader) caseFile(c *Cases) {
	if c == nil || c.File == "" || len(c.Rows) > 0 {
		return
	}
	path := filepath.Join(filepath.Dir(c.Position.File), c.File)
	if filepath.IsAbs(c.File) {
		path = c.File
	}
	data, err := l.files.Read(path)
	if err != nil {
		l.wrong(c.Position, "cases: %v", unread(path, err))
		return
	}
	rows, err := caseNodes(path, data)
	if err == nil && (len(rows) == 0 || len(rows) > maxRows) {
		err = fmt.Errorf("%s has %d cases, expected 1 to %d", path, len(rows), maxRows)
	}
	if err != nil {
		l.wrong(c.Position, "cases: %v", err)
		return
	}
	d := &document.Decoder{File: path}
	for _, row := range rows {
		c.Rows = append(c.Rows, readRow(row, d))
	}
	l.problems = append(l.problems, d.Problems...)
}

// caseNodes reads the cases of a CSV or JSON file.
func caseNodes(path string, data []byte) ([]*document.Node, error) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".csv":
		return csvNodes(path, data)
	case ".json", ".yaml", ".yml":
		node, problems := document.Parse(path, data)
		if len(problems) > 0 {
			return nil, problems
		}
		if node.Kind != document.List {
			return nil, fmt.Errorf("%s: %s, expected a list of mappings", path, document.Describe(node))
		}
		for _, item := range node.Items {
			if item.Kind != document.Map {
				return nil, fmt.Errorf("%s:%d: %s, expected a mapping of names to values", path, item.Line,
					document.Describe(item))
			}
		}
		return node.Items, nil
	}
	return nil, fmt.Errorf("%s: expected a file that ends with .csv or .json", path)
}

// csvNodes reads a CSV file whose first row has the names. A cell that is JSON is read as JSON, and any other as a
// string; an empty cell sets no value.
func csvNodes(path string, data []byte) ([]*document.Node, error) {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	r.TrimLeadingSpace = true
	all, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(all) < 2 {
		return nil, fmt.Errorf("%s has %d rows, expected a row of names and at least one case", path, len(all))
	}
	var rows []*document.Node
	for i, cells := range all[1:] {
		row := &document.Node{Kind: document.Map, Line: i + 2, Column: 1}
		for j, cell := range cells {
			name := strings.TrimSpace(all[0][j])
			if cell == "" || name == "" {
				continue
			}
			row.Pairs = append(row.Pairs, document.Pair{Key: name, Line: row.Line, Column: 1,
				Value: cellNode(cell, row.Line)})
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func cellNode(cell string, line int) *document.Node {
	if json.Valid([]byte(cell)) {
		if node, problems := document.Parse("", []byte(cell)); len(problems) == 0 {
			return node
		}
	}
	return &document.Node{Kind: document.String, Text: cell, Line: line, Column: 1}
}
