package workbench

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/document"
	"github.com/mcptest-dev/mcptest/internal/engine/find"
	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/report"
)

// A FindInput is the input of Find.
type FindInput struct {
	Query []string `json:"query,omitempty" cli:"rest" placeholder:"QUERY" jsonschema:"what a model would search for (default: queries made from the names, titles and descriptions of the tools)"`
	Connection
	Queries string `json:"queries,omitempty" surface:"cli" placeholder:"FILE" jsonschema:"YAML file with queries and the tools that each should return"`
	As      string `json:"as,omitempty" placeholder:"NAME" jsonschema:"the name of the server in the config of the host, which is part of what is searched (default: the target if it is a name, or server)"`
}

// A FindResult is where each search ranks the tools.
type FindResult struct {
	Engines []FindEngine `json:"engines"`
	Queries []FindQuery  `json:"queries"`
	Edits   []FindEdit   `json:"edits,omitempty"`
	Limited bool         `json:"limited,omitempty"` // too many tools and queries to suggest edits

	file bool // the queries came from a file
}

// A FindEngine is a search, and the tools that it does not find.
type FindEngine struct {
	ID      string       `json:"id"`
	Name    string       `json:"name"`
	Version string       `json:"version,omitempty"`
	Limit   int          `json:"limit"`
	Lost    []string     `json:"lost,omitempty"`    // tools that it returns for none of the queries made from them
	Shadows []FindShadow `json:"shadows,omitempty"` // tools that hide others
}

// A FindShadow is a tool that is returned first instead of another one.
type FindShadow struct {
	Tool string `json:"tool"`
	By   string `json:"by"`
}

// A FindQuery is a query with the rank of the expected tool in each search.
type FindQuery struct {
	Query string              `json:"query"`
	Tools []string            `json:"tools,omitempty"` // expected
	Ranks map[string]int      `json:"ranks,omitempty"` // by search; 0 if it is not returned at all
	Top   map[string][]string `json:"top"`             // by search: what it returns
}

// A FindEdit is a verified change of a description.
type FindEdit struct {
	Tool        string `json:"tool"`
	Query       string `json:"query"`
	Added       string `json:"added"`
	Description string `json:"description"`
}

// Failed reports whether an expected tool of a query in the file is not returned.
func (r *FindResult) Failed() bool { return r.file && slices.ContainsFunc(r.Queries, r.missed) }

// missed reports whether a search does not return the expected tool of a query.
func (r *FindResult) missed(q FindQuery) bool {
	return len(q.Tools) > 0 && slices.ContainsFunc(r.Engines, func(e FindEngine) bool { return q.Ranks[e.ID] == 0 || q.Ranks[e.ID] > e.Limit })
}

// Find ranks tools as the tool searches of hosts do.
var Find = Op[FindInput, *FindResult]{
	Uses: Frames | Requests,
	Name: "find",
	Doc: "Show where the tool searches of hosts rank the tools for a query\n\n" +
		"Codex and Claude Code do not pass all tools to the model: the model has to search. find reproduces their searches, and\n" +
		"shows the one of the gateway beside them. Without queries, it makes some from each tool: the name as words, the title,\n" +
		"the first sentence of the description. It lists tools that a host cannot find by their own words, and words to\n" +
		"add to a description, verified by searching again.",
	Help: "A file for --queries contains a list queries, each with query and tools. Exits with 1 if a tool in it is not returned.\n" +
		"TARGET may also be a file with a captured tools/list.",
	Example: "mcptest find demo" + "\n" +
		"mcptest find 'price of an order' 'server time' demo",
	Run:  runFind,
	Text: writeFind,
}

func runFind(ctx context.Context, w *Workbench, in *FindInput) (*FindResult, error) {
	source, err := w.tools(ctx, &LintInput{Connection: in.Connection})
	if err != nil {
		return nil, err
	}
	tools := make([]find.Tool, len(source.catalog.Tools))
	for i, t := range source.catalog.Tools {
		tools[i] = find.Tool{Server: in.serverName(in.As), Name: t.Name, Title: textAt(t.Raw, "/title"), Description: textAt(t.Raw, "/description")}
		properties, _ := schema.Get(t.Raw, "/inputSchema/properties")
		members, _ := schema.Members(properties)
		for _, m := range members {
			tools[i].Properties = append(tools[i].Properties, m.Name)
		}
	}
	queries, err := in.queries(w, tools)
	if err != nil {
		return nil, err
	}
	own := &catalogSearch{catalog: catalog.New(), index: map[string]int{}}
	defer own.catalog.Close()
	engines := append(find.Engines(), find.Engine{ID: "gateway", Name: "The gateway", Limit: catalog.DefaultLimit, New: own.with(ctx)})
	found := find.Run(engines, tools, queries)
	edits, verified := find.Edits(engines[:len(engines)-1], tools, found, maxEdits)
	out := findResult(engines, tools, found, edits)
	out.Limited, out.file = !verified, in.Queries != ""
	return out, ctx.Err()
}

// maxEdits is the number of edits that are suggested.
const maxEdits = 10

// queries returns the queries of the arguments and of the file, or those made from the tools.
func (in *FindInput) queries(w *Workbench, tools []find.Tool) ([]find.Query, error) {
	var queries []find.Query
	for _, text := range in.Query {
		if strings.TrimSpace(text) == "" {
			return nil, &UsageError{Message: "empty query", Hint: "pass the words that a model would search for"}
		}
		queries = append(queries, find.Query{Text: text})
	}
	if in.Queries != "" {
		listed, err := in.listed(w, tools)
		if err != nil {
			return nil, err
		}
		queries = append(queries, listed...)
	}
	if len(queries) == 0 {
		queries = find.OwnQueries(tools)
	}
	return queries, nil
}

// listed reads the queries of the file.
func (in *FindInput) listed(w *Workbench, tools []find.Tool) ([]find.Query, error) {
	const hint = "pass a YAML file with queries: a list with query and tools"
	text, err := w.readFile(in.Queries)
	if err != nil {
		return nil, &UsageError{Message: "--queries: " + err.Error(), Hint: hint}
	}
	var file struct {
		Queries []struct {
			Query string   `yaml:"query"`
			Tools []string `yaml:"tools"`
		} `yaml:"queries"`
	}
	node, problems := document.Parse(in.Queries, text)
	if len(problems) == 0 {
		d := &document.Decoder{File: in.Queries}
		d.Decode(node, &file)
		problems = d.Problems
	}
	if len(problems) > 0 {
		return nil, &UsageError{Message: problems.Error(), Hint: hint}
	}
	var queries []find.Query
	for _, entry := range file.Queries {
		q := find.Query{Text: entry.Query}
		for _, name := range entry.Tools {
			i := slices.IndexFunc(tools, func(t find.Tool) bool { return t.Name == name })
			if i < 0 {
				return nil, &UsageError{Message: fmt.Sprintf("%s: unknown tool %q", in.Queries, name), Hint: "run: mcptest tools list"}
			}
			q.Tools = append(q.Tools, i)
		}
		queries = append(queries, q)
	}
	return queries, nil
}

// A catalogSearch is the search of the gateway.
type catalogSearch struct {
	catalog *catalog.Catalog
	index   map[string]int
}

// with returns a function that registers the tools; it may be called once.
func (s *catalogSearch) with(ctx context.Context) func([]find.Tool) find.Search {
	return func(tools []find.Tool) find.Search {
		for i, t := range tools {
			definition := catalog.Tool{Server: t.Server, Name: t.Name, Title: t.Title, Description: t.Description}
			if _, err := s.catalog.Register(ctx, definition); err == nil {
				s.index[t.Name] = i
			}
		}
		return s
	}
}

// Rank returns the tools that the gateway finds.
func (s *catalogSearch) Rank(query string) []find.Hit {
	var hits []find.Hit
	for _, h := range s.catalog.Search([]string{query}, catalog.Filter{Limit: 100}) {
		hits = append(hits, find.Hit{Tool: s.index[h.Tool.Name], Score: h.Score})
	}
	return hits
}

func findResult(engines []find.Engine, tools []find.Tool, r *find.Report, edits []find.Edit) *FindResult {
	out := &FindResult{Queries: []FindQuery{}}
	names := func(indexes []int) []string {
		var list []string
		for _, i := range indexes {
			list = append(list, tools[i].Name)
		}
		return list
	}
	for e, engine := range engines {
		one := FindEngine{ID: engine.ID, Name: engine.Name, Version: engine.Version, Limit: engine.Limit, Lost: names(r.Lost[e])}
		for _, s := range r.Shadows[e] {
			one.Shadows = append(one.Shadows, FindShadow{tools[s.Tool].Name, tools[s.By].Name})
		}
		out.Engines = append(out.Engines, one)
	}
	for i, q := range r.Queries {
		one := FindQuery{Query: q.Text, Tools: names(q.Tools), Top: map[string][]string{}}
		for e, engine := range engines {
			one.Top[engine.ID] = names(r.Answers[i][e].Top)
			if len(q.Tools) > 0 {
				if one.Ranks == nil {
					one.Ranks = map[string]int{}
				}
				one.Ranks[engine.ID] = r.Answers[i][e].Rank
			}
		}
		out.Queries = append(out.Queries, one)
	}
	for _, e := range edits {
		out.Edits = append(out.Edits, FindEdit{tools[e.Tool].Name, e.Query, e.Added, e.Description})
	}
	return out
}

// Widths of the table.
const (
	queryWidth = 40
	shownTop   = 3
)

func writeFind(out io.Writer, r *FindResult) error {
	t := newText(out)
	header := fmt.Sprintf("%-*s", queryWidth, "query")
	for _, e := range r.Engines {
		header += fmt.Sprintf("  %-12s", e.ID)
	}
	if slices.ContainsFunc(r.Queries, func(q FindQuery) bool { return len(q.Tools) > 0 }) { // there are ranks
		t.line(t.bold("%s", strings.TrimRight(header, " ")))
	}
	for _, q := range r.Queries {
		t.query(r, q)
	}
	for _, e := range r.Engines {
		if len(e.Lost) > 0 {
			t.line("")
			t.show(fmt.Sprintf("%s does not return these tools for their own words (limit %d): %s", e.Name, e.Limit, joinNames(e.Lost)))
		}
		for _, s := range e.Shadows[:min(len(e.Shadows), shownTop)] {
			t.show(fmt.Sprintf("  instead of %s it returns %s first", s.Tool, s.By))
		}
	}
	if len(r.Edits) > 0 {
		t.line("")
		t.line("Words to add to a description (verified, no other query gets worse):")
		for _, e := range r.Edits {
			t.fill(2, fmt.Sprintf("%s: add \"Keywords: %s.\" for the query %q", e.Tool, e.Added, e.Query))
		}
	}
	if r.Limited {
		t.line("")
		t.line("Too many tools and queries to verify edits; pass single queries.")
	}
	return t.err
}

// query shows a row: the rank of the expected tool in each search, or the first tools if none is expected.
func (t *text) query(r *FindResult, q FindQuery) {
	row := fmt.Sprintf("%-*s", queryWidth, clip.Runes(report.Visible(q.Query), queryWidth))
	if len(q.Tools) == 0 {
		t.line(strings.TrimRight(row, " "))
		for _, e := range r.Engines {
			top := q.Top[e.ID]
			t.show(fmt.Sprintf("  %-12s  %s", e.ID, cmp.Or(strings.Join(top[:min(len(top), shownTop)], ", "), "no tool found")))
		}
		return
	}
	for _, e := range r.Engines {
		switch rank := q.Ranks[e.ID]; {
		case rank == 0:
			row += fmt.Sprintf("  %-12s", "–")
		case rank > e.Limit:
			row += fmt.Sprintf("  %-12s", fmt.Sprintf("(%d)", rank))
		default:
			row += fmt.Sprintf("  %-12d", rank)
		}
	}
	t.line(strings.TrimRight(row, " "))
}
