package conform

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// Limits of the search for arguments with which a tool has something to return.
const (
	maxRepaired  = 8   // tools
	maxAttempts  = 6   // calls of each
	maxPerSource = 3   // values of each source
	maxValueSize = 100 // bytes of a value
)

// repair repeats calls of read-only tools that failed or returned nothing, with values that the server itself mentions:
// the ID in a sample is unknown to it, and then no check sees a result. It returns the progress tokens that it used.
func (p *CheckContext) repair(ctx context.Context, s *mcp.Session, done []CallResult) (tokens []string) {
	repaired := 0
	for i, c := range done {
		if repaired == maxRepaired || !p.isRepairable(c) {
			continue
		}
		repaired++
		for _, arguments := range p.otherArguments(ctx, s, c, done) {
			if !p.round.takeCall(c.Name) {
				break
			}
			other := c.Tool
			other.Arguments = arguments
			ex, _ := callWithProgress(ctx, s, other, p.Timeout())
			if ex == nil || ex.Reply == nil {
				break // the server is slow or lost
			}
			tokens = append(tokens, tokensOf([]CallResult{{other, ex}})...)
			if next := (CallResult{other, ex}); returnsSomething(next) {
				tokens = append(tokens, tokensOf(done[i:i+1])...)
				done[i] = next
				break
			}
		}
	}
	return tokens
}

// isRepairable reports whether a call of a read-only tool returned nothing, and may be repeated.
func (p *CheckContext) isRepairable(c CallResult) bool {
	return c.Exchange != nil && c.Exchange.Reply != nil && !p.round.limited(c.Name) && !causedRequest(c) &&
		string(At(c.Definition, "/annotations/readOnlyHint")) == "true" && c.Exchange.Elapsed < p.Timeout()/10 &&
		!returnsSomething(c) && len(textArguments(c.Tool)) > 0
}

// returnsSomething reports whether a call succeeded and its result is not empty.
func returnsSomething(c CallResult) bool {
	if c.Result() == nil {
		return c.Exchange.Reply.Error == nil // an unfinished result is not empty
	}
	if content := At(c.Result(), "/structuredContent"); content != nil && !c.Failed() {
		return !hasOnlyEmptyLists(content)
	}
	text := strings.TrimSpace(textsOf(c.Result()))
	return !c.Failed() && (text != "" && text != "[]" && text != "{}" || len(blocksOf(c.Result())) > 1)
}

// hasOnlyEmptyLists reports whether an object has lists, and all of them are empty.
func hasOnlyEmptyLists(value json.RawMessage) bool {
	members, _ := schema.Members(value)
	empty := false
	for _, m := range members {
		items, err := schema.Elements(m.Value)
		if len(items) > 0 {
			return false
		}
		empty = empty || err == nil
	}
	return empty
}

// textArguments lists the arguments of a tool that are texts without a fixed set of values.
func textArguments(t Tool) []string {
	var names []string
	members, _ := schema.Members(t.Arguments)
	for _, m := range members {
		property := declaredArgument(t.Definition, m.Name)
		if schema.Kind(m.Value) == '"' && At(property, "/enum") == nil && At(property, "/const") == nil {
			names = append(names, m.Name)
		}
	}
	return names
}

// otherArguments returns arguments of a tool with a text to read, and with values that the server mentions, those of the most
// specific source first, and without optional texts, which narrow a search.
func (p *CheckContext) otherArguments(ctx context.Context, s *mcp.Session, c CallResult,
	done []CallResult) []json.RawMessage {
	compiled, err := schema.Compile(At(c.Definition, "/inputSchema"), nil)
	if err != nil {
		return nil
	}
	base, names := withoutOptionalTexts(c.Tool)
	values := map[string][]string{}
	for _, name := range names {
		description := schema.TextAt(declaredArgument(c.Definition, name), "/description")
		if text := schema.DocumentFor(name, description); text != "" {
			values[name] = append(values[name], text)
		}
		if !c.Failed() && c.Result() != nil {
			values[name] = append(values[name], "a") // finds something in a search
		}
		values[name] = append(values[name], p.mentioned(ctx, s, c.Tool, name, done)...)
	}
	var all []json.RawMessage
	for n := range maxAttempts {
		arguments := base
		for name, some := range values {
			if len(some) > 0 {
				raw, _ := json.Marshal(some[min(n, len(some)-1)]) // marshaling a string never fails
				arguments = withArgument(c.Tool, arguments, name, string(raw))
			}
		}
		same := func(a json.RawMessage) bool { return equalJSON(a, arguments) }
		if len(compiled.Validate(arguments)) == 0 && !same(c.Arguments) && !slices.ContainsFunc(all, same) {
			all = append(all, arguments)
		}
	}
	return all
}

// withoutOptionalTexts returns the arguments of a tool without the texts that are not required, and the names of those
// that are; if none is required, all of them.
func withoutOptionalTexts(t Tool) (arguments json.RawMessage, names []string) {
	required := stringsIn(At(t.Definition, "/inputSchema/required"))
	var edits []finding.Edit
	for _, name := range textArguments(t) {
		if slices.Contains(required, name) {
			names = append(names, name)
		} else {
			edits = append(edits, finding.Edit{Pointer: "/" + schema.Token(name)})
		}
	}
	changed, err := schema.Apply(t.Arguments, edits)
	if len(names) == 0 || err != nil {
		return t.Arguments, textArguments(t)
	}
	return changed, names
}

// mentioned returns values for an argument: examples in descriptions, completions, values of other results, resources.
func (p *CheckContext) mentioned(ctx context.Context, s *mcp.Session, t Tool, name string, done []CallResult) []string {
	var all []string
	add := func(some []string) {
		taken := 0
		for _, value := range some {
			if value != "" && len(value) <= maxValueSize && taken < maxPerSource && !slices.Contains(all, value) {
				all, taken = append(all, value), taken+1
			}
		}
	}
	add(schema.Mentioned(schema.TextAt(declaredArgument(t.Definition, name), "/description")))
	add(schema.Mentioned(schema.TextAt(t.Definition, "/description")))
	add(p.completionsOf(ctx, s, name))
	add(namedValues(name, done))
	add(p.resourceValues(ctx, name))
	add(firstWords(done))
	return all
}

// completionsOf returns what the server suggests for arguments of prompts and templates with the same name.
func (p *CheckContext) completionsOf(ctx context.Context, s *mcp.Session, name string) []string {
	if !p.round.declares("completions") {
		return nil
	}
	for _, asked := range p.completions(ctx) {
		argument := At(asked, "/argument")
		if schema.TextAt(argument, "/value") != "" || !strings.EqualFold(schema.TextAt(argument, "/name"), name) {
			continue
		}
		ex, err := p.CallIn(ctx, s, "completion/complete", asked)
		if err != nil || ex.Reply.Error != nil {
			return nil
		}
		return stringsIn(At(ex.Reply.Result, "/completion/values"))
	}
	return nil
}

// stringsIn returns the strings of a list.
func stringsIn(list json.RawMessage) []string {
	var all []string
	items, _ := schema.Elements(list)
	for _, raw := range items {
		if text, ok := schema.Text(raw); ok {
			all = append(all, text)
		}
	}
	return all
}
