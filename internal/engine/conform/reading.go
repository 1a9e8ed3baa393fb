package conform

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// maxReads is how many resources and prompts are read, the first of each list, and maxOtherTypes how many resources of
// media types that these do not have.
const (
	maxReads      = 5
	maxOtherTypes = 3
)

// A Read is an item of a list and the exchange that requested it.
type Read struct {
	Item     mcp.Item
	Exchange *mcp.Exchange
}

// Reads returns the first resources of the list, read once for all checks.
func (p *CheckContext) Reads(ctx context.Context) ([]Read, error) {
	list, err := p.Offered(ctx, "resources/list")
	if err != nil {
		return nil, err
	}
	return remember(ctx, p, "reads", func() ([]Read, error) {
		return p.requestEach(ctx, variedTypes(list.Items), "resources/read",
			func(i mcp.Item) (any, bool) { return mcp.Object("uri", i.Name), true })
	})
}

// variedTypes selects the first resources of a list, and later ones with other media types: a server encodes those in
// another way.
func variedTypes(items []mcp.Item) []mcp.Item {
	var some []mcp.Item
	seen, first := map[string]bool{}, 0
	for _, item := range items {
		kind := schema.TextAt(item.Raw, "/mimeType")
		switch {
		case item.Name == "":
		case first < maxReads:
			first++
			some = append(some, item)
		case !seen[kind] && len(some) < maxReads+maxOtherTypes:
			some = append(some, item)
		}
		seen[kind] = true
	}
	return some
}

// Got returns the first prompts of the list that may be requested, requested once for all checks with a text for each
// required argument.
func (p *CheckContext) Got(ctx context.Context) ([]Read, error) {
	all, err := p.prompts(ctx)
	if err != nil {
		return nil, err
	}
	return remember(ctx, p, "prompts", func() ([]Read, error) {
		first := all[:min(len(all), maxReads)]
		return p.requestEach(ctx, first, "prompts/get", func(i mcp.Item) (any, bool) {
			return mcp.Object("name", i.Name, "arguments", promptArguments(i, "")), true
		})
	})
}

// prompts lists the prompts that may be requested. Others may execute something, and need the permission of the user.
func (p *CheckContext) prompts(ctx context.Context) ([]mcp.Item, error) {
	list, err := p.Offered(ctx, "prompts/list")
	if err != nil {
		return nil, err
	}
	var all []mcp.Item
	why := ""
	for _, item := range list.Items {
		if reason := p.round.opts.Permit.Prompt(item.Raw); reason != "" {
			why = item.Name + " (" + reason + ")"
			continue
		}
		all = append(all, item)
	}
	if len(all) == 0 && why != "" {
		return nil, p.Skip("no prompt may be requested without permission, such as %s", why)
	}
	return all, nil
}

// orNotRendered returns the error of a check of prompts. Without one, the check is skipped if no prompt could be rendered
// and nothing was found: then nothing was tested.
func (p *CheckContext) orNotRendered(got []Read, err error) error {
	rendered := slices.ContainsFunc(got, func(g Read) bool { return g.Exchange.Reply.Error == nil })
	if err != nil || rendered || len(p.findings) > 0 {
		return err
	}
	return p.Skip("no prompt could be rendered")
}

// requestEach requests the items that have a name.
func (p *CheckContext) requestEach(ctx context.Context, items []mcp.Item, method string,
	params func(mcp.Item) (any, bool)) ([]Read, error) {
	var all []Read
	for _, item := range items {
		if item.Name == "" {
			continue
		}
		asked, ok := params(item)
		if !ok {
			continue
		}
		ex, err := p.Call(ctx, method, asked)
		if err != nil {
			return nil, err
		}
		all = append(all, Read{item, ex})
	}
	return all, nil
}

// promptArguments returns arguments for a prompt: a text for each required one, except the one to omit.
func promptArguments(prompt mcp.Item, without string) json.RawMessage {
	var pairs []any
	arguments, _ := schema.Elements(At(prompt.Raw, "/arguments"))
	for _, a := range arguments {
		if name := schema.TextAt(a, "/name"); string(At(a, "/required")) == "true" && name != without {
			pairs = append(pairs, name, sampleText(name))
		}
	}
	return mcp.Object(pairs...)
}

// sampleText returns a text for an argument of which only the name is known.
func sampleText(name string) string {
	if lower := strings.ToLower(name); strings.Contains(lower, "uri") || strings.Contains(lower, "url") {
		return "https://example.com/mcptest"
	}
	return plainSample
}

// plainSample is the text for an argument without a known format.
const plainSample = "1"
