package suite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/document"
	"github.com/mcptest-dev/mcptest/internal/finding"
)

// The rules about deprecated features. Each includes the replacement.
var deprecations = []finding.Rule{
	{ID: "DEP-001", Severity: finding.Warning, Doc: "test uses roots (deprecated)\n\nRoots are deprecated since " +
		"2026-07-28. Pass directories as tool arguments or in the server configuration."},
	{ID: "DEP-002", Severity: finding.Warning, Doc: "test uses sampling (deprecated)\n\nSampling is deprecated since " +
		"2026-07-28. A server that needs a model should call one itself."},
	{ID: "DEP-003", Severity: finding.Warning, Doc: "test uses logging (deprecated)\n\nLogging is deprecated since " +
		"2026-07-28. Let the server write to stderr or to a tracing backend, and use the target stderr."},
	{ID: "DEP-004", Severity: finding.Warning, Doc: "server uses the HTTP+SSE transport (deprecated)\n\nThe " +
		"transport of 2024-11-05 is deprecated. Use the server's Streamable HTTP endpoint, which is often /mcp " +
		"instead of /sse."},
	{ID: "DEP-005", Severity: finding.Warning, Doc: "includeContext is deprecated\n\nThe values thisServer and " +
		"allServers are deprecated. Omit includeContext."},
	{ID: "DEP-006", Severity: finding.Warning, Doc: "expected error code was removed\n\n-32002 (resource not found) " +
		"is -32602 from 2026-07-28 on, and -32042 (URL elicitation required) is an input_required result. Expect the " +
		"new one, or use one_of with both while servers migrate."},
	{ID: "DEP-007", Severity: finding.Warning, Doc: "raw test calls a removed method\n\nRevisions from 2026-07-28 on " +
		"have no initialize, ping, logging/setLevel, resources/subscribe, resources/unsubscribe or core tasks. Use " +
		"server/discover, _meta with the log level, subscriptions/listen and the tasks extension."},
	{ID: "DEP-008", Severity: finding.Warning, Doc: "raw test uses dynamic client registration " +
		"(deprecated)\n\nDynamic client registration is deprecated. Use a client ID metadata document or a " +
		"preregistered client ID."},
}

// Deprecations lists the rules about deprecated features.
func Deprecations() []finding.Rule { return deprecations }

// removedMethods are the methods of revisions up to 2025-11-25 that do not exist from 2026-07-28 on.
var removedMethods = []string{"initialize", "notifications/initialized", "ping", "logging/setLevel",
	"resources/subscribe",
	"resources/unsubscribe", "notifications/roots/list_changed", "tasks/get", "tasks/result", "tasks/list",
	"tasks/cancel", "roots/list", "notifications/elicitation/complete"}

// Lint finds deprecated protocol features in suites.
func Lint(p *Plan) []finding.Result {
	var all []finding.Result
	for _, s := range p.Suites {
		l := &linter{}
		for name, server := range s.Servers {
			l.server(name, server)
		}
		for _, t := range s.Tests {
			for i := range t.Steps {
				l.call(t, &t.Steps[i])
			}
		}
		slices.SortStableFunc(l.found, func(a, b finding.Finding) int { return a.Where.Line - b.Where.Line })
		all = append(all, finding.Result{Name: s.Position.File, Findings: l.found})
	}
	return all
}

type linter struct{ found []finding.Finding }

func (l *linter) say(at document.Position, rule, subject, format string, args ...any) {
	i := slices.IndexFunc(deprecations, func(r finding.Rule) bool { return r.ID == rule })
	_, migration, _ := strings.Cut(deprecations[i].Doc, "\n\n")
	l.found = append(l.found, finding.Finding{Rule: rule, Severity: deprecations[i].Severity,
		Message: fmt.Sprintf(format, args...) + ". " + migration,
		Where:   finding.Location{Subject: subject, File: at.File, Line: at.Line}})
}

func (l *linter) server(name string, s *Server) {
	if strings.HasSuffix(strings.TrimRight(s.URL, "/"), "/sse") {
		l.say(s.Position, "DEP-004", name, "server %s uses %s", name, s.URL)
	}
	if s.LogLevel != "" {
		l.say(s.Position, "DEP-003", name, "server %s requests log messages (log_level)", name)
	}
}

func (l *linter) call(t *Test, c *Call) {
	if a := c.Answers; a != nil {
		if len(a.Roots) > 0 {
			l.say(c.Position, "DEP-001", t.ID, "the test provides roots")
		}
		if len(a.Sampling) > 0 {
			l.say(c.Position, "DEP-002", t.ID, "the test responds to sampling")
		}
		for _, n := range append(slices.Clone(a.Sampling), a.Elicitation...) {
			l.context(t, c, n)
		}
	}
	l.context(t, c, c.Args)
	if c.Kind == "method" && slices.Contains(removedMethods, c.Method) {
		l.say(c.Position, "DEP-007", t.ID, "the test calls %s", c.Method)
	}
	if c.Args != nil && c.Args.Get("redirect_uris") != nil {
		l.say(c.Position, "DEP-008", t.ID, "the test registers a client (redirect_uris)")
	}
	if c.Expect == nil {
		return
	}
	if c.Expect.looksAt("logs") {
		l.say(c.Position, "DEP-003", t.ID, "the test checks log messages (logs)")
	}
	for _, a := range c.Expect.All {
		if a.Target == "error.code" && (a.Arg.Text == "-32002" || a.Arg.Text == "-32042") {
			l.say(a.Position, "DEP-006", t.ID, "the test expects error %s", a.Arg.Text)
		}
	}
}

// context finds includeContext at any depth.
func (l *linter) context(t *Test, c *Call, n *document.Node) {
	if n == nil {
		return
	}
	for _, p := range n.Pairs {
		if p.Key == "includeContext" && (p.Value.Text == "thisServer" || p.Value.Text == "allServers") {
			l.say(document.Position{File: c.File, Line: p.Line}, "DEP-005", t.ID, "includeContext is %s", p.Value.Text)
		}
		l.context(t, c, p.Value)
	}
	for _, item := range n.Items {
		l.context(t, c, item)
	}
}
