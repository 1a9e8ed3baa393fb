package hosttools

import (
	"context"
	"slices"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/find"
	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A FindInput is the input of Find.
type FindInput struct {
	Query []string `json:"query,omitempty" cli:"rest" placeholder:"QUERY" jsonschema:"what a model would search for (default: queries made from the names, titles and descriptions of the tools)"`
	workbench.Connection
	Queries string `json:"queries,omitempty" surface:"cli" placeholder:"FILE" jsonschema:"YAML file with queries and the tools that each should return"`
	All     bool   `json:"all,omitempty" surface:"cli" alone:"yes" jsonschema:"search the tools of every configured server together, as a host with all of them would"`

	IncludeProject bool `json:"include_project,omitempty" surface:"cli" jsonschema:"with --all, also start servers from project files (runs commands chosen by the authors of those files)"`

	Run     []string      `json:"run,omitempty" surface:"cli" placeholder:"LIST" empty:"no" jsonschema:"also start these hosts with a scripted model and ask their own search: codex, claude-code; NAME@VERSION selects a version for --fetch"`
	RunFrom string        `json:"run_from,omitempty" surface:"cli" placeholder:"DIR" empty:"no" jsonschema:"with --run: directory of the hosts, or one with their npm packages (default: PATH)"`
	Fetch   bool          `json:"fetch,omitempty" surface:"cli" jsonschema:"with --run: download hosts that are not installed with npm, into a temporary directory"`
	Within  time.Duration `json:"within,omitempty" surface:"cli" placeholder:"D" jsonschema:"with --run: time limit for each start of a host (default 3m)"`

	Expected []FindExpected `json:"expected,omitempty" cli:"-" jsonschema:"queries, each with the tools that it should return"`

	As string `json:"as,omitempty" placeholder:"NAME" jsonschema:"the name of the server in the config of the host, which is part of what is searched (default: the target if it is a name, or server)"`
}

// A FindResult is where each search ranks the tools.
type FindResult struct {
	Engines []FindEngine `json:"engines"`
	Queries []FindQuery  `json:"queries"`
	Edits   []FindEdit   `json:"edits,omitempty"`
	Skipped []FindSkip   `json:"skipped,omitempty"` // configured servers that were not searched
	Untried int          `json:"untried,omitempty"` // misses for which no edit was looked for: there are too many
	Unasked int          `json:"unasked,omitempty"` // tools of which no query was made: there are too many

	Runs []FindRun `json:"runs,omitempty"` // hosts whose own search was asked

	minRecall float64 // what each search must reach; 0 if the queries did not come from a file
}

// A FindEngine is a search, and the tools that it does not find.
type FindEngine struct {
	ID      string       `json:"id"`
	Name    string       `json:"name"`
	Version string       `json:"version,omitempty"`
	Limit   int          `json:"limit"`
	Recall  *float64     `json:"recall,omitempty"`  // share of the expected tools that it returns
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
	Tool        string   `json:"tool"`
	Queries     []string `json:"queries"` // that return the tool with it
	Added       []string `json:"added"`
	Description string   `json:"description"`
}

// Failed reports whether a search returns fewer of the expected tools than the file requires.
func (r *FindResult) Failed() bool {
	return slices.ContainsFunc(r.Engines, func(e FindEngine) bool { return e.Recall != nil && *e.Recall < r.minRecall })
}

// Find ranks tools as the tool searches of hosts do.
var Find = workbench.Op[FindInput, *FindResult]{
	Uses: workbench.Frames | workbench.Requests,
	Name: "find", Section: workbench.Test, Order: 70, FileTarget: true, Page: true,
	Doc: "Show where the tool searches of hosts rank the tools for a query\n\n" +
		"Codex and Claude Code do not pass all tools to the model: the model has to search. find reproduces their " +
		"searches, and\n" +
		"shows the one of the gateway beside them. Without queries, it makes some from each tool: the name as words, " +
		"the title,\n" +
		"the first sentence of the description, its verb and object. It lists tools that a host cannot find by their own " +
		"words, and\nwords to add to a description, verified by searching again.",
	Help: "A file for --queries contains a list queries, each with query and tools. Exits with 1 if a search returns " +
		"fewer\nof these tools than min_recall in the file, a share from 0 to 1 (default 1).\n" +
		"With --run, mcptest also starts the hosts, as hosts --run does, and their own search is asked: the table has its " +
		"ranks\namong the tools of the server, and differences from the reproduced search are listed.\n" +
		"TARGET may also be a file with a captured tools/list.",
	Example: "mcptest find demo" + "\n" +
		"mcptest find 'price of an order' 'server time' demo" + "\n" +
		"mcptest find --all 'search repositories'",
	Run:  runFind,
	Text: writeFind,
}

func runFind(ctx context.Context, w *workbench.Workbench, in *FindInput) (*FindResult, error) {
	if err := in.checkRun(w); err != nil {
		return nil, err
	}
	tools, skipped, kind, err := in.tools(ctx, w)
	if err != nil {
		return nil, err
	}
	queries, minRecall, err := in.queries(w, tools)
	if err != nil {
		return nil, err
	}
	unasked := 0
	if len(queries) == 0 {
		queries, unasked = find.OwnQueries(tools)
	}
	out := rankTools(ctx, tools, queries, true)
	out.Skipped, out.minRecall, out.Unasked = skipped, minRecall, unasked
	if len(in.Run) > 0 {
		if err := in.runQueries(ctx, w, tools, queries, kind, out); err != nil {
			return nil, err
		}
	}
	return out, ctx.Err()
}

// rankTools ranks the tools for each query with each search, and looks for edits if the caller wants them.
func rankTools(ctx context.Context, tools []find.Tool, queries []find.Query, edit bool) *FindResult {
	own := &catalogSearch{catalog: catalog.New(), index: map[catalogName]int{}}
	defer own.catalog.Close()
	engines := append(find.Engines(), find.Engine{ID: "gateway", Name: "The gateway", Limit: catalog.DefaultLimit,
		New: own.with(ctx)})
	found := find.Run(ctx, engines, tools, queries)
	if !edit {
		return findResult(engines, tools, found, nil)
	}
	edits, untried := find.Edits(ctx, engines, tools, queries, maxEdits)
	out := findResult(engines, tools, found, edits)
	out.Untried = untried
	return out
}

// maxEdits is the number of edits that are suggested.
const maxEdits = 10

// A catalogSearch is the search of the gateway.
type catalogSearch struct {
	catalog *catalog.Catalog
	index   map[catalogName]int
}

// A catalogName identifies a tool in the catalog.
type catalogName struct{ server, tool string }

// with returns a function that adds the tools, all of a server at once as the gateway does; it may be called once.
func (s *catalogSearch) with(ctx context.Context) func([]find.Tool) find.Search {
	return func(tools []find.Tool) find.Search {
		byServer := map[string][]catalog.Tool{}
		for i, t := range tools {
			name := catalogName{t.Server, t.Name}
			if _, known := s.index[name]; known {
				continue
			}
			s.index[name] = i
			byServer[t.Server] = append(byServer[t.Server],
				catalog.Tool{Server: t.Server, Name: t.Name, Title: t.Title, Description: t.Description})
		}
		for server, list := range byServer {
			_, _ = s.catalog.ReplaceServer(ctx, server, list) // tools that it skips cannot be found
		}
		return s
	}
}

// Rank returns the tools that the gateway finds.
func (s *catalogSearch) Rank(query string) []find.Hit {
	var hits []find.Hit
	for _, h := range s.catalog.Search([]string{query}, catalog.Filter{Limit: 100}) {
		hits = append(hits, find.Hit{Tool: s.index[catalogName{h.Tool.Server, h.Tool.Name}], Score: h.Score})
	}
	return hits
}

func findResult(engines []find.Engine, tools []find.Tool, r *find.Report, edits []find.Edit) *FindResult {
	out := &FindResult{Queries: []FindQuery{}}
	shown := toolNames(tools)
	names := func(indexes []int) []string {
		var list []string
		for _, i := range indexes {
			list = append(list, shown[i])
		}
		return list
	}
	for e, engine := range engines {
		one := FindEngine{ID: engine.ID, Name: engine.Name, Version: engine.Version, Limit: engine.Limit,
			Recall: recall(r, e, engine.Limit), Lost: names(r.Lost[e])}
		for _, s := range r.Shadows[e] {
			one.Shadows = append(one.Shadows, FindShadow{shown[s.Tool], shown[s.By]})
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
		out.Edits = append(out.Edits, FindEdit{shown[e.Tool], e.Queries, e.Added, e.Description})
	}
	return out
}

// recall is the share of the expected tools that a search returns; nil if none is expected.
func recall(r *find.Report, engine, limit int) *float64 {
	expected, returned := 0, 0
	for i, q := range r.Queries {
		expected += len(q.Tools)
		for _, tool := range q.Tools {
			if slices.Contains(r.Answers[i][engine].Top[:min(limit, len(r.Answers[i][engine].Top))], tool) {
				returned++
			}
		}
	}
	if expected == 0 {
		return nil
	}
	share := float64(returned) / float64(expected)
	return &share
}
