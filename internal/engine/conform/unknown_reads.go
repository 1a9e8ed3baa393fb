package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// arbitrary are values of variables that no server knows.
var arbitrary = [2]string{"mcptest-one", "mcptest-two"}

// An unknownRead is what a template returned for the arbitrary values; empty where it returned an error.
type unknownRead struct {
	template string
	contents [2]string
	last     *mcp.Exchange
}

// unknownReads reads each template with two arbitrary values of its variables.
func (p *CheckContext) unknownReads(ctx context.Context) ([]unknownRead, error) {
	list, err := p.Offered(ctx, "resources/templates/list")
	if err != nil {
		return nil, err
	}
	return remember(ctx, p, "unknown reads", func() ([]unknownRead, error) {
		var all []unknownRead
		for _, item := range list.Items[:min(len(list.Items), maxReads)] {
			if item.Name == "" || templateProblem(item.Name) != "" || !braces().MatchString(item.Name) {
				continue
			}
			r := unknownRead{template: item.Name}
			for i, value := range arbitrary {
				uri := braces().ReplaceAllLiteralString(item.Name, escapedFor(item.Name, value))
				if r.last, err = p.Call(ctx, "resources/read", mcp.Object("uri", uri)); err != nil {
					return all, err
				}
				if r.last.Reply.Error != nil {
					break
				}
				r.contents[i] = strings.TrimSpace(valuesOf(r.last.Reply.Result))
			}
			all = append(all, r)
		}
		return all, nil
	})
}
