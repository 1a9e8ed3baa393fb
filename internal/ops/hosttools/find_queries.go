package hosttools

import (
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/document"
	"github.com/mcptest-dev/mcptest/internal/engine/find"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// queries returns the queries of the arguments and of the file, with the recall that it requires.
func (in *FindInput) queries(w *workbench.Workbench, tools []find.Tool) ([]find.Query, float64, error) {
	expected := in.Expected
	for _, text := range in.Query {
		expected = append(expected, FindExpected{Query: text})
	}
	queries, err := expectedQueries(tools, expected)
	if err != nil || in.Queries == "" {
		return queries, 0, err
	}
	listed, minRecall, err := in.listed(w, tools)
	return append(queries, listed...), minRecall, err
}

// expectedQueries looks up the tools that queries should return.
func expectedQueries(tools []find.Tool, expected []FindExpected) ([]find.Query, error) {
	var queries []find.Query
	for _, entry := range expected {
		if strings.TrimSpace(entry.Query) == "" {
			return nil, &workbench.UsageError{Message: "empty query", Hint: "pass the words that a model would search for"}
		}
		q := find.Query{Text: entry.Query}
		for _, name := range entry.Tools {
			i, err := indexOf(tools, name)
			if err != nil {
				return nil, err
			}
			q.Tools = append(q.Tools, i)
		}
		queries = append(queries, q)
	}
	return queries, nil
}

// listed reads the queries of the file, and the recall that it requires: by default, of all expected tools.
func (in *FindInput) listed(w *workbench.Workbench, tools []find.Tool) ([]find.Query, float64, error) {
	const hint = "pass a YAML file with queries: a list with query and tools"
	text, err := w.ReadFile(in.Queries)
	if err != nil {
		return nil, 0, &workbench.UsageError{Message: "--queries: " + err.Error(), Hint: hint}
	}
	file := struct {
		MinRecall float64        `yaml:"min_recall"`
		Queries   []FindExpected `yaml:"queries"`
	}{MinRecall: 1}
	node, problems := document.Parse(in.Queries, text)
	if len(problems) == 0 {
		d := &document.Decoder{File: in.Queries}
		d.Decode(node, &file)
		problems = d.Problems
	}
	if len(problems) > 0 {
		return nil, 0, &workbench.UsageError{Message: problems.Error(), Hint: hint}
	}
	if file.MinRecall < 0 || file.MinRecall > 1 {
		return nil, 0, &workbench.UsageError{Message: fmt.Sprintf("%s: min_recall is %v", in.Queries, file.MinRecall),
			Hint: "set it to a number from 0 to 1: the share of the expected tools that each host must return"}
	}
	queries, err := expectedQueries(tools, file.Queries)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", in.Queries, err)
	}
	return queries, file.MinRecall, nil
}
