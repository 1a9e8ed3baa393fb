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
	Item      mcp.Item
	Exchange  *mcp.Exchange
	Arguments json.RawMessage // of a prompt
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
// required argument: one that the server knows, if it rejects another one.
func (p *CheckContext) Got(ctx context.Context) ([]Read, error) {
	all, err := p.prompts(ctx)
	if err != nil {
		return nil, err
	}
	return remember(ctx, p, "prompts", func() ([]Read, error) {
		first := all[:min(len(all), maxReads)]
		got, err := p.requestEach(ctx, first, "prompts/get", func(i mcp.Item) (any, bool) {
			return mcp.Object("name", i.Name, "arguments", promptArguments(i, "")), true
		})
		for i := range got {
			if got[i].Arguments = promptArguments(got[i].Item, ""); err == nil {
				err = p.repairPrompt(ctx, &got[i])
			}
		}
		return got, err
	})
}

// maxPromptValues is how many values are tried for the arguments of a prompt that rejects the sample.
const maxPromptValues = 6

// repairPrompt requests a prompt again that rejected the samples for its required arguments, with values that the server mentions:
// in descriptions, as completions, and in results of tools.
func (p *CheckContext) repairPrompt(ctx context.Context, g *Read) error {
	if refusal := g.Exchange.Reply.Error; refusal == nil || failsInside(refusal) || requiredArgument(g.Item) == "" {
		return nil
	}
	var names []string
	values := map[string][]string{}
	arguments, _ := schema.Elements(At(g.Item.Raw, "/arguments"))
	for _, a := range arguments {
		if name := schema.TextAt(a, "/name"); string(At(a, "/required")) == "true" {
			names = append(names, name)
			values[name] = p.knownTexts(ctx, g.Item, name, schema.TextAt(a, "/description"))
		}
	}
	for n := range maxPromptValues {
		var pairs []any
		tried := false
		for _, name := range names {
			value, some := sampleText(name), values[name]
			if len(some) > 0 {
				value = some[min(n, len(some)-1)]
				tried = tried || n < len(some)
			}
			pairs = append(pairs, name, value)
		}
		if !tried {
			return nil
		}
		known := mcp.Object(pairs...)
		ex, err := p.Call(ctx, "prompts/get", mcp.Object("name", g.Item.Name, "arguments", known))
		if err != nil {
			return err
		}
		if ex.Reply.Error == nil {
			g.Exchange, g.Arguments = ex, known
			return nil
		}
	}
	return nil
}

// knownTexts returns values for an argument of a prompt that the server mentions.
func (p *CheckContext) knownTexts(ctx context.Context, prompt mcp.Item, name, description string) []string {
	all := append(p.suggestedFor(ctx, prompt, name), schema.DescribedTime(description))
	all = append(all, schema.Mentioned(description)...)
	if p.round.offers("tools") {
		done, _ := p.Called(ctx) // other checks report why no tool was called
		all = append(append(all, namedValues(name, done)...), listedFor(name, "", description, done)...)
	}
	var short []string
	for _, value := range all {
		if value != "" && len(value) <= maxValueSize && !slices.Contains(short, value) {
			short = append(short, value)
		}
	}
	return short
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
		all = append(all, Read{Item: item, Exchange: ex})
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
