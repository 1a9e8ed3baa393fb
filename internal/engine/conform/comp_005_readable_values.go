package conform

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var comp005 = &Check{
	Rule: finding.Rule{
		ID:       "COMP-005",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/utilities/completion"),
		Doc: `value suggested for a resource template should be readable

A host offers the values of a completion, inserts the one that the user selects into the template and reads the
resource. A suggested value that leads to an error is a dead end. Values with spaces and letters beyond ASCII are tried
first: they arrive percent-encoded, and the server has to decode them. A content that repeats the encoded form was not
decoded either.`,
	},
	Since: spec.March2025,
	Needs: "completions",
	Run: func(ctx context.Context, p *CheckContext) error {
		if !p.round.offers("resources") {
			return p.Skip("server has no resources")
		}
		list, err := p.Offered(ctx, "resources/templates/list")
		if err != nil {
			return err
		}
		tried := 0
		for _, item := range list.Items[:min(len(list.Items), maxReads)] {
			pairs, err := p.readPairs(ctx, item.Name)
			if err != nil {
				return err
			}
			tried += pairs
			values, err := p.suggested(ctx, item.Name)
			if err != nil {
				return err
			}
			for _, value := range values {
				tried++
				uri := braces().ReplaceAllLiteralString(item.Name, escapedFor(item.Name, value))
				ex, err := p.Call(ctx, "resources/read", mcp.Object("uri", uri))
				if err != nil {
					return err
				}
				if refusal := ex.Reply.Error; refusal != nil {
					p.Report(Evidence{Subject: item.Name, Exchange: ex},
						"completion suggests %s, but reading %s failed with error %d: %s", quoted(value), quoted(uri),
						refusal.Code, errorLine(refusal))
					break
				}
				if raw := url.PathEscape(value); raw != value && strings.Contains(textsOf(ex.Reply.Result), raw) &&
					!strings.Contains(textsOf(ex.Reply.Result), uri) {
					p.Report(Evidence{Subject: item.Name, Exchange: ex, Pointer: "/contents"},
						"completion suggests %s: expected the decoded value in the contents, got %s", quoted(value),
						quoted(raw))
					break
				}
			}
		}
		if tried == 0 {
			return p.Skip("no template has suggested values")
		}
		return nil
	},
}

// readPairs reports a template with two variables if the values suggested for the second depend on the first, and no pair can be read.
// Suggestions that do not depend on it are those of all values: see COMP-007. It returns how many pairs were read.
func (p *CheckContext) readPairs(ctx context.Context, template string) (read int, err error) {
	t := p.twoVariables(template)
	if t == nil {
		return 0, nil
	}
	outer, err := t.complete(ctx, 0, mcp.Object())
	if err != nil {
		return 0, err
	}
	var failed *mcp.Exchange
	var pair [2]string
	seen := map[string]bool{}
	for _, first := range outer {
		inner, err := t.complete(ctx, 1, mcp.Object(t.names[0], first))
		if err != nil || len(inner) == 0 {
			return read, err
		}
		seen[strings.Join(inner, "\n")] = true
		ex, err := t.read(ctx, first, inner[0])
		if err != nil || ex.Reply.Error == nil {
			return read + 1, err
		}
		if read++; failed == nil {
			failed, pair = ex, [2]string{first, inner[0]}
		}
	}
	if len(seen) > 1 {
		p.Report(Evidence{Subject: template, Exchange: failed},
			"completion suggests %s %s for %s %s, but reading it failed with error %d: %s; none of %d pairs can be read", t.names[1],
			quoted(pair[1]), t.names[0], quoted(pair[0]), failed.Reply.Error.Code, errorLine(failed.Reply.Error), read)
	}
	return read, nil
}

// suggested returns the first values that the server suggests for the only variable of a template.
func (p *CheckContext) suggested(ctx context.Context, template string) ([]string, error) {
	found := variable().FindAllStringSubmatch(template, -1)
	if len(found) != 1 || templateProblem(template) != "" {
		return nil, nil
	}
	ex, err := p.Call(ctx, "completion/complete", mcp.Object("ref", mcp.Object("type", "ref/resource", "uri", template),
		"argument", mcp.Object("name", found[0][1], "value", "")))
	if err != nil {
		return nil, err
	}
	var values []string
	elements, _ := schema.Elements(At(ex.Reply.Result, "/completion/values"))
	for _, raw := range elements[:min(len(elements), maxSuggested)] {
		if text, ok := schema.Text(raw); ok && text != "" {
			values = append(values, text)
		}
	}
	// Those that a URI has to encode come first: servers forget to decode them.
	slices.SortStableFunc(values, func(a, b string) int { return encoded(b) - encoded(a) })
	return values[:min(len(values), 2)], nil
}

// maxSuggested is how many suggested values are considered.
const maxSuggested = 100

// encoded is 1 for a text that has other characters than a URI may contain; else 0.
func encoded(text string) int {
	if url.PathEscape(text) == text {
		return 0
	}
	return 1
}

// escapedFor returns a value as the expression of a template inserts it.
func escapedFor(template, value string) string {
	switch {
	case strings.Contains(template, "{+"), strings.Contains(template, "{#"):
		return value
	case strings.Contains(template, "{?"), strings.Contains(template, "{&"), strings.Contains(template, "{;"):
		name := variable().FindStringSubmatch(template)[1]
		return template[strings.Index(template, "{")+1:][:1] + name + "=" + url.QueryEscape(value)
	}
	return url.PathEscape(value)
}
