package hosttools

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/find"
	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/hostrun"
	"github.com/mcptest-dev/mcptest/internal/ops/engines"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A FindRun is what the tool search of a host returned that was started.
type FindRun struct {
	Host        string           `json:"host"`
	Name        string           `json:"name"`
	Version     string           `json:"version,omitempty"`
	Isolated    bool             `json:"isolated"`               // the host had no network but loopback
	NotIsolated string           `json:"not_isolated,omitempty"` // why not
	Bridged     bool             `json:"bridged,omitempty"`      // mcptest passed messages on to a URL; the host used stdio
	Same        int              `json:"same"`                   // queries with the tools that the reproduced search returns, ties aside
	Differs     []FindDifference `json:"differs,omitempty"`
}

// A FindDifference is a query for which the host does not return what the reproduced search returns.
type FindDifference struct {
	Query      string   `json:"query"`
	Returned   []string `json:"returned"`
	Reproduced []string `json:"reproduced"`
}

// Bounds of the queries to a host.
const (
	searchesPerStart = 50 // each result stays in the conversation
	maxSearches      = 500
)

// searchHosts lists the hosts whose own search can be asked.
func searchHosts() []string {
	var ids []string
	for _, h := range hostrun.All() {
		if h.SearchTool != "" {
			ids = append(ids, h.ID)
		}
	}
	return ids
}

// checkRun rejects combinations of options.
func (in *FindInput) checkRun(w *workbench.Workbench) error {
	if len(in.Run) == 0 {
		for _, flag := range []struct {
			name  string
			given bool
		}{{"--run-from", in.RunFrom != ""}, {"--fetch", in.Fetch}, {"--within", in.Within != 0}} {
			if flag.given {
				return &workbench.UsageError{Message: flag.name + " requires --run",
					Hint: "use {--run} codex,claude-code to start hosts"}
			}
		}
		return nil
	}
	if in.All {
		return &workbench.UsageError{Message: "--run and --all are mutually exclusive", Hint: "search one server"}
	}
	if in.Within < 0 {
		return &workbench.UsageError{Message: fmt.Sprintf("invalid value %v for --within", in.Within),
			Hint: "use a duration such as 3m"}
	}
	if file, ok := engines.CatalogFile(w, in.Target); ok {
		return &workbench.UsageError{Message: fmt.Sprintf("%s is a file, but --run requires a server", file),
			Hint: "pass the command of the server after --"}
	}
	list, err := selectRuns(workbench.Commas(in.Run))
	if err != nil {
		return err
	}
	for _, p := range list {
		if p.host.SearchTool == "" {
			return &workbench.UsageError{Message: p.host.ID + " passes all tools to its model: it has no search to ask",
				Hint: hint.Text("use some of " + strings.Join(searchHosts(), ", "))}
		}
	}
	return nil
}

// runQueries starts hosts, and adds what their own searches return beside the reproduced ones.
func (in *FindInput) runQueries(ctx context.Context, w *workbench.Workbench, tools []find.Tool, queries []find.Query,
	kind wire.Kind, out *FindResult) error {
	if len(queries) > maxSearches {
		return &workbench.UsageError{Message: fmt.Sprintf("%d queries, but --run asks at most %d", len(queries), maxSearches),
			Hint: "pass single queries, or a file with {--queries}"}
	}
	target, err := w.Resolve(&in.Connection)
	if err != nil {
		return err
	}
	if target.URL != "" {
		target.Kind = kind // as detected
	}
	programs, err := findPrograms(ctx, w, fetchOptions{in.Run, in.RunFrom, in.Fetch})
	if err != nil {
		return err
	}
	defer programs.remove()
	if err := w.CloseAndWait(); err != nil {
		return err
	}
	for _, p := range programs.list {
		s := &hostSearch{in: in, w: w, program: p, self: programs.self, target: target, tools: tools}
		if err := s.run(ctx, queries, out); err != nil {
			return err
		}
	}
	w.Event(workbench.Event{Over: true})
	return nil
}

// A hostSearch asks the tool search of one host.
type hostSearch struct {
	in      *FindInput
	w       *workbench.Workbench
	program hostProgram
	self    string
	target  wire.Target
	tools   []find.Tool
}

// run asks all queries and adds a column with the ranks after the one of the reproduced search.
func (s *hostSearch) run(ctx context.Context, queries []find.Query, out *FindResult) error {
	engines := find.Engines()
	i := slices.IndexFunc(engines, func(e find.Engine) bool { return e.ID == s.program.host.ID })
	engine, search := engines[i], engines[i].New(s.tools)
	run := FindRun{Host: engine.ID, Name: engine.Name}
	column := FindEngine{ID: s.program.host.Program + "-run", Name: engine.Name + " itself", Limit: engine.Limit}
	shown := toolNames(s.tools)
	report := &find.Report{Queries: queries}
	for first := 0; first < len(queries); first += searchesPerStart {
		part := queries[first:min(first+searchesPerStart, len(queries))]
		s.w.Event(workbench.Event{Step: &workbench.Step{Done: first, Total: len(queries), Text: engine.ID}})
		answers, err := s.start(ctx, part, engine.Limit, &run)
		if err != nil {
			return err
		}
		for k, a := range answers {
			q := part[k]
			report.Answers = append(report.Answers, []find.QueryResult{a.result(q)})
			hits := search.Rank(q.Text)
			if a.same(hits, engine.Limit) {
				run.Same++
			} else {
				run.Differs = append(run.Differs, FindDifference{q.Text, namesOf(shown, a.own),
					out.Queries[first+k].Top[engine.ID]})
			}
			one := &out.Queries[first+k]
			one.Top[column.ID] = namesOf(shown, a.own)
			if len(q.Tools) > 0 {
				one.Ranks[column.ID] = report.Answers[first+k][0].Rank
			}
		}
	}
	column.Version, column.Recall = run.Version, recall(report, 0, engine.Limit)
	at := 1 + slices.IndexFunc(out.Engines, func(e FindEngine) bool { return e.ID == engine.ID })
	out.Engines, out.Runs = slices.Insert(out.Engines, at, column), append(out.Runs, run)
	return nil
}

// defaultSearchLimit is the time limit of one start of a host.
const defaultSearchLimit = 3 * time.Minute

// start starts the host once and returns what its search returns for each query.
func (s *hostSearch) start(ctx context.Context, queries []find.Query, limit int, run *FindRun) ([]hostAnswer, error) {
	h := s.program.host
	var script []hostrun.Call
	for _, q := range queries {
		arguments, _ := json.Marshal(map[string]any{"query": q.Text, h.SearchLimit: limit})
		script = append(script, hostrun.Call{Tool: h.SearchTool, Arguments: arguments})
	}
	within := s.in.Within
	if within == 0 {
		within = defaultSearchLimit
	}
	server := ServerName(&s.in.Connection, s.in.As)
	seen, err := hostrun.Start(ctx, hostrun.Options{Host: h, Program: s.program.path, Server: server, Target: s.target,
		Script: script, Search: true, Limit: within, Supervisor: s.w.Supervisor, Self: s.self,
		Log: s.w.Log.Branch(h.ID, nil), Find: func(given []hosts.Tool, name string) (hosts.Tool, bool) {
			i := slices.IndexFunc(given, func(t hosts.Tool) bool { return t.Name == name && t.Namespace == "" })
			return hosts.Tool{Name: name}, i >= 0
		}})
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(seen.Results) != len(script) {
		r, lines := HostRun{Run: seen}, strings.Split(strings.TrimSpace(seen.Output), "\n")
		return nil, fmt.Errorf("%s answered %d of %d searches with %s%s; it printed %q", h.ID, len(seen.Results),
			len(script), h.SearchTool, r.ending(), clip.Text(lines[len(lines)-1], 200))
	}
	run.Version, run.Isolated, run.NotIsolated, run.Bridged = seen.Version, seen.Isolated, seen.NotIsolated, seen.Bridged
	given := s.given(server)
	var answers []hostAnswer
	for _, result := range seen.Results {
		var a hostAnswer
		for _, found := range result.Found {
			if i := slices.Index(given, toolName{found.Namespace, found.Name}); i >= 0 {
				a.own = append(a.own, i)
			} else {
				a.others++
			}
		}
		answers = append(answers, a)
	}
	return answers, nil
}

// A toolName is a name that a host gives a tool.
type toolName struct{ namespace, name string }

// given returns the names that the host gives the tools of the server.
func (s *hostSearch) given(server string) []toolName {
	profile, _ := hosts.Find(s.program.host.ID)
	var names []toolName
	for _, t := range s.tools {
		definition, _ := json.Marshal(map[string]any{"name": t.Name, "description": t.Description,
			"inputSchema": map[string]any{"type": "object"}})
		seen := hosts.View(profile, server, hosts.Read(definition))
		names = append(names, toolName{seen.Namespace, seen.Name})
	}
	return names
}

// A hostAnswer is what the search of a host returned.
type hostAnswer struct {
	own    []int // tools of the server, best first
	others int   // tools of the host
}

func (a hostAnswer) result(q find.Query) find.QueryResult {
	r := find.QueryResult{Top: a.own}
	for _, tool := range q.Tools {
		if rank := 1 + slices.Index(a.own, tool); rank > 0 && (r.Rank == 0 || rank < r.Rank) {
			r.Rank = rank
		}
	}
	return r
}

// same reports whether the reproduced search has the same tools in the same order. Tools with equal scores have no
// fixed order, and tools of the host take places.
func (a hostAnswer) same(hits []find.Hit, limit int) bool {
	if len(a.own) != min(len(hits), max(0, limit-a.others)) {
		return false
	}
	scores := map[int]float64{}
	for _, h := range hits {
		scores[h.Tool] = h.Score
	}
	for i, tool := range a.own {
		if score, found := scores[tool]; !found || score != hits[i].Score {
			return false
		}
	}
	return true
}

func namesOf(shown []string, indexes []int) []string {
	list := []string{}
	for _, i := range indexes {
		list = append(list, shown[i])
	}
	return list
}
