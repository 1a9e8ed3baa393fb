package conform

import (
	"context"
	"net/url"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// twoVariables is a resource template with two variables, the second of which may be completed depending on the first.
type twoVariables struct {
	check    *CheckContext
	template string
	names    [2]string
}

// maxInContext is how many values of each variable are considered.
const maxInContext = 3

// twoVariables returns a template with two plain variables; nil for any other.
func (p *CheckContext) twoVariables(template string) *twoVariables {
	found := variable().FindAllStringSubmatch(template, -1)
	if len(found) != 2 || templateProblem(template) != "" || strings.ContainsAny(template, "+#?&;*") {
		return nil
	}
	return &twoVariables{p, template, [2]string{found[0][1], found[1][1]}}
}

// complete returns the first values that are suggested for a variable, given others.
func (t *twoVariables) complete(ctx context.Context, variable int, given any) ([]string, error) {
	ex, err := t.check.Call(ctx, "completion/complete", mcp.Object("ref", mcp.Object("type", "ref/resource", "uri", t.template),
		"argument", mcp.Object("name", t.names[variable], "value", ""), "context", mcp.Object("arguments", given)))
	if err != nil || ex.Reply.Error != nil {
		return nil, err
	}
	values := stringsIn(At(ex.Reply.Result, "/completion/values"))
	return values[:min(len(values), maxInContext)], nil
}

// read reads the resource with two values.
func (t *twoVariables) read(ctx context.Context, first, second string) (*mcp.Exchange, error) {
	values := []string{url.PathEscape(first), url.PathEscape(second)}
	uri := braces().ReplaceAllStringFunc(t.template, func(string) string {
		next := values[0]
		values = values[1:]
		return next
	})
	return t.check.Call(ctx, "resources/read", mcp.Object("uri", uri))
}
