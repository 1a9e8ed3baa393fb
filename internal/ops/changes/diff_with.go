package changes

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/engine/change"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A DiffMatrix is what a server offers in several configurations.
type DiffMatrix struct {
	Columns []MatrixColumn `json:"configurations"`
	Rows    []MatrixRow    `json:"rows"` // what is not the same in all of them
	Same    int            `json:"same"` // definitions that are
}

// A MatrixColumn is one configuration.
type MatrixColumn struct {
	With   string `json:"with"` // arguments and variables
	Tools  int    `json:"tools"`
	Tokens int    `json:"tokens"` // of the tools, estimated
}

// A MatrixRow is one definition. A cell is "" if the configuration does not have it, or the number of the variant.
type MatrixRow struct {
	Kind  string   `json:"kind"`
	Name  string   `json:"name"`
	Cells []string `json:"cells"`
}

var assignment = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)

// matrix reads the server once per configuration: variables first, then arguments for its command.
func matrix(ctx context.Context, w *workbench.Workbench, in *DiffInput) (*DiffMatrix, error) {
	switch {
	case in.New != "" || in.Old != "" && len(in.Command) > 0:
		return nil, &workbench.UsageError{Message: "--with compares configurations of one server",
			Hint: "use: mcptest diff --with '--read-only' --with '' -- COMMAND"}
	case in.Old == "" && len(in.Command) == 0:
		return nil, &workbench.UsageError{Message: "missing server argument",
			Hint: "use: mcptest diff --with '--read-only' --with '' -- COMMAND"}
	case len(in.With) < 2:
		return nil, &workbench.UsageError{Message: "--with requires two configurations or more",
			Hint: "repeat it; --with '' adds nothing"}
	}
	m := &DiffMatrix{Rows: []MatrixRow{}}
	var all []map[[2]string]string // hashes by kind and name
	var keys [][2]string
	for _, with := range in.With {
		c := workbench.Connection{Target: in.Old, Command: slices.Clone(in.Command), Env: slices.Clone(in.Env),
			Header:   in.Header,
			Timeout:  in.Timeout,
			Protocol: in.Protocol, Config: in.Config}
		words := strings.Fields(with)
		for len(words) > 0 && assignment.MatchString(words[0]) {
			c.Env, words = append(c.Env, words[0]), words[1:]
		}
		if len(words) > 0 && len(c.Command) == 0 {
			return nil, &workbench.UsageError{Message: fmt.Sprintf("--with %q: arguments require a command", with),
				Hint: "pass the command after --"}
		}
		c.Command = append(c.Command, words...)
		now, err := liveSurface(ctx, w, &c, cmp.Or(with, "(nothing)"))
		if err != nil {
			return nil, err
		}
		column := MatrixColumn{With: withoutSecrets(w, with), Tools: len(now.Tools)}
		hashes := map[[2]string]string{}
		for _, list := range []struct {
			kind    string
			entries []json.RawMessage
		}{{change.ToolItem, now.Tools}, {change.PromptItem, now.Prompts}, {change.ResourceItem, now.Resources},
			{change.TemplateItem, now.Templates}} {
			for _, raw := range list.entries {
				key := [2]string{list.kind, entryKey(raw)}
				if !slices.Contains(keys, key) {
					keys = append(keys, key)
				}
				hashes[key] = change.Hash(raw)
				if list.kind == change.ToolItem {
					column.Tokens += hosts.Tokens(raw)
				}
			}
		}
		all, m.Columns = append(all, hashes), append(m.Columns, column)
	}
	for _, key := range keys {
		m.add(key, all)
	}
	return m, nil
}

// add adds a row, unless the definition is the same everywhere.
func (m *DiffMatrix) add(key [2]string, all []map[[2]string]string) {
	row := MatrixRow{Kind: key[0], Name: key[1]}
	var variants []string
	differs := false
	for _, hashes := range all {
		hash, ok := hashes[key]
		if !ok {
			row.Cells, differs = append(row.Cells, ""), true
			continue
		}
		i := slices.Index(variants, hash)
		if i < 0 {
			i, variants = len(variants), append(variants, hash)
		}
		row.Cells = append(row.Cells, fmt.Sprint(i+1))
	}
	if !differs && len(variants) == 1 {
		m.Same++
		return
	}
	m.Rows = append(m.Rows, row)
}

func writeMatrix(out io.Writer, m *DiffMatrix) error {
	t := workbench.NewText(out)
	for i, c := range m.Columns {
		t.Line(fmt.Sprintf("%s  %s  %s", t.Bold("[%d]", i+1), cmp.Or(c.With, "(nothing)"),
			t.Dim("%s, %d tokens (estimated)", workbench.Plural(c.Tools, "tool"), c.Tokens)))
	}
	t.Line("")
	if len(m.Rows) == 0 {
		t.Line(t.Good("No differences in %s.", workbench.Plural(m.Same, "definition")))
		return t.Err
	}
	width := 0
	for _, row := range m.Rows {
		width = max(width, len([]rune(rowName(row))))
	}
	header := strings.Repeat(" ", width)
	for i := range m.Columns {
		header += fmt.Sprintf("  %-4s", fmt.Sprintf("[%d]", i+1))
	}
	t.Line(strings.TrimRight(header, " "))
	for _, row := range m.Rows {
		line := fmt.Sprintf("%-*s", width, rowName(row))
		varies := slices.ContainsFunc(row.Cells, func(cell string) bool { return cell > "1" })
		for _, cell := range row.Cells {
			switch {
			case cell == "":
				cell = "–"
			case varies:
				cell = "v" + cell
			default:
				cell = "yes"
			}
			line += fmt.Sprintf("  %-4s", cell)
		}
		t.Line(strings.TrimRight(line, " "))
	}
	t.Line("\n" + fmt.Sprintf("%s the same in all configurations. v1, v2: definitions that differ.",
		workbench.Plural(m.Same, "definition")))
	return t.Err
}

func rowName(row MatrixRow) string {
	return report.Line(itemName(change.Item{Kind: row.Kind, Name: row.Name}))
}
