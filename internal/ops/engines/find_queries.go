package engines

import (
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/document"
	"github.com/mcptest-dev/mcptest/internal/engine/find"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// queries returns the queries of the arguments and of the file, with the recall that it requires, or those made from
// the tools.
func (in *FindInput) queries(w *workbench.Workbench, tools []find.Tool) ([]find.Query, float64, error) {
	var queries []find.Query
	var minRecall float64
	for _, text := range in.Query {
		if strings.TrimSpace(text) == "" {
			return nil, 0, &workbench.UsageError{Message: "empty query",
				Hint: "pass the words that a model would search for"}
		}
		queries = append(queries, find.Query{Text: text})
	}
	if in.Queries != "" {
		listed, least, err := in.listed(w, tools)
		if err != nil {
			return nil, 0, err
		}
		queries, minRecall = append(queries, listed...), least
	}
	if len(queries) == 0 {
		queries = find.OwnQueries(tools)
	}
	return queries, minRecall, nil
}

// listed reads the queries of the file, and the recall that it requires: by default, of all expected tools.
func (in *FindInput) listed(w *workbench.Workbench, tools []find.Tool) ([]find.Query, float64, error) {
	const hint = "pass a YAML file with queries: a list with query and tools"
	text, err := w.ReadFile(in.Queries)
	if err != nil {
		return nil, 0, &workbench.UsageError{Message: "--queries: " + err.Error(), Hint: hint}
	}
	file := struct {
		MinRecall float64 `yaml:"min_recall"`
		Queries   []struct {
			Query string   `yaml:"query"`
			Tools []string `yaml:"tools"`
		} `yaml:"queries"`
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
	var queries []find.Query
	for _, entry := range file.Queries {
		q := find.Query{Text: entry.Query}
		for _, name := range entry.Tools {
			i, err := indexOf(tools, name)
			if err != nil {
				return nil, 0, fmt.Errorf("%s: %w", in.Queries, err)
			}
			q.Tools = append(q.Tools, i)
		}
		queries = append(queries, q)
	}
	return queries, file.MinRecall, nil
}
