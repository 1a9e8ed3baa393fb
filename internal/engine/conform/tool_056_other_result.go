package conform

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/safety"
)

var tool056 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-056",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool-result"),
		Doc: `result should belong to the arguments of the call

The result of a read-only tool repeats an argument, such as the city of a weather report. It was called with up to
six values that its schema or another tool lists, and each result was the one of the same value. Typical bug: a cache whose key
omits an argument. A model gets the data of another item. Include all arguments in the key.`,
	},
	Needs: "tools",
	Alone: true, // concurrent calls may return results of each other, which RPC-023 reports
	Run: func(ctx context.Context, p *CheckContext) error {
		done, err := p.quick(ctx)
		if err != nil {
			return err
		}
		tried := 0
		for _, c := range done {
			if !safety.Reads(c.Definition) || c.Result() == nil || c.Failed() ||
				causedRequest(c) {
				continue
			}
			members, _ := schema.Members(c.Arguments)
			for _, m := range members {
				values := listedTexts(c.Tool, m.Name, done)
				if schema.Kind(m.Value) != '"' || len(values) < minListed || fallsBack().MatchString(schema.Snake(m.Name)) ||
					repeated(c.Result(), m.Name) == "" || tried == maxReads {
					continue
				}
				tried++
				if err := p.tryValues(ctx, c.Tool, m.Name, values); err != nil {
					return err
				}
			}
		}
		return nil
	},
}

// Listed values of an argument: one of two may be another name of the other.
const (
	minListed = 3
	maxOthers = 5 // that are tried
)

// fallsBack matches arguments for which a server may rightly use another value than the requested one, and say so.
var fallsBack = lazyregexp.New(`lang|locale|unit|format|version|mode|sort|order|encod|currency|type|branch|model`)

// listedTexts returns the values that the schema lists for an argument, or else those of this name in other results.
func listedTexts(t Tool, name string, done []CallResult) []string {
	property := declaredArgument(t.Definition, name)
	values := stringsIn(At(property, "/enum"))
	if At(property, "/enum") == nil {
		others := slices.DeleteFunc(slices.Clone(done), func(c CallResult) bool { return c.Name == t.Name })
		values = namedValues(name, others)
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// repeated returns the text that a result has under the name of an argument, in the object itself or in one of its
// members; empty if there is none or several.
func repeated(result json.RawMessage, name string) string {
	value := valueOf(result)
	if !json.Valid(value) || schema.Kind(value) != '{' {
		return ""
	}
	members, _ := schema.Members(value)
	for _, m := range members {
		nested, _ := schema.Members(m.Value) // nil unless it is an object
		members = append(members, nested...)
	}
	found := ""
	for _, m := range members {
		if text, ok := schema.Text(m.Value); ok && schema.Snake(m.Name) == schema.Snake(name) {
			if found != "" {
				return ""
			}
			found = text
		}
	}
	return found
}

// tryValues calls a tool with values of an argument and reports it if each result is that of the same value.
func (p *CheckContext) tryValues(ctx context.Context, t Tool, name string, values []string) error {
	call := func(value string) (*mcp.Exchange, string, error) {
		raw, _ := json.Marshal(value) // marshaling a string never fails
		arguments := withArgument(t, t.Arguments, name, string(raw))
		if schema.TextAt(arguments, "/"+schema.Token(name)) != value {
			return nil, "", nil // the schema forbids it
		}
		ex, err := p.Call(ctx, "tools/call", mcp.Object("name", t.Name, "arguments", arguments))
		if err != nil || ex.Reply.Error != nil {
			return nil, "", err
		}
		return ex, repeated(ex.Reply.Result, name), nil
	}
	first, got, err := call(values[0])
	if err != nil || first == nil || !slices.Contains(values, got) {
		return err
	}
	others := slices.DeleteFunc(slices.Clone(values), func(value string) bool { return value == got })
	var wrong *mcp.Exchange
	for _, value := range append(slices.Clone(others[:min(len(others), maxOthers)]), got) {
		ex, repeats, err := call(value)
		if err != nil || ex == nil || repeats != got || !sameView(first, ex) {
			return err
		}
		if value == others[0] {
			wrong = ex
		}
	}
	p.once(Evidence{Subject: t.Name, Exchange: wrong, Led: true}, "call with %s %s: expected its own result, got the one of %s, "+
		"as with other values", name, quoted(others[0]), quoted(got))
	return nil
}
