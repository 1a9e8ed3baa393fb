package main

import (
	"fmt"
	"strings"
)

// A table is a Markdown table.
type table struct {
	head []string
	rows [][]string
}

// row adds a row. It escapes bars, which would end a cell, and line breaks, which would end the row.
func (t *table) row(cells ...any) {
	var row []string
	for _, c := range cells {
		row = append(row, strings.NewReplacer("|", `\|`, "\n", " ").Replace(fmt.Sprint(c)))
	}
	t.rows = append(t.rows, row)
}

// String returns the table, or nothing if it has no rows. Empty columns are omitted.
func (t *table) String() string {
	if len(t.rows) == 0 {
		return ""
	}
	var keep []int
	for i := range t.head {
		for _, row := range t.rows {
			if row[i] != "" {
				keep = append(keep, i)
				break
			}
		}
	}
	var b strings.Builder
	line := func(cells []string) {
		b.WriteString("|")
		for _, i := range keep {
			b.WriteString(" " + cells[i] + " |")
		}
		b.WriteString("\n")
	}
	line(t.head)
	b.WriteString(strings.Repeat("|---", len(keep)) + "|\n")
	for _, row := range t.rows {
		line(row)
	}
	return b.String()
}

// code formats a text as code; an empty text stays empty.
func code(text string) string {
	switch {
	case text == "":
		return ""
	case strings.Contains(text, "`"):
		return "`` " + text + " ``"
	}
	return "`" + text + "`"
}
