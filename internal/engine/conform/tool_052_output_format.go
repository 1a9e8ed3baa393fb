package conform

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool052 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-052",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#output-schema"),
		Doc: `texts in structuredContent should have the format that outputSchema states

A text has another form than its format in outputSchema: date-time, date, email, uri or uuid. JSON Schema leaves it to
validators whether they check formats. That of the TypeScript SDK does, so its clients reject the result, and programs that
parse the text fail. A date-time has a T and an offset from UTC, such as 2026-11-20T07:15:00Z; a time without offset is
the usual cause.`,
	},
	Since: spec.June2025,
	Needs: "tools",
	Last:  true, // it evaluates the results of all checks
	Run: func(ctx context.Context, p *CheckContext) error {
		p.callOnce(ctx)
		for _, s := range p.round.validator.simplest(&p.round.validator.results) {
			content, tool := At(s.message.Result, "/structuredContent"), nameIn(s.frames[0].Body)
			if s.method != "tools/call" || content == nil || calls.IsError(s.message.Result) {
				continue
			}
			for _, v := range p.wrongFormats(tool, content) {
				if received := schema.TextAt(content, v.Path); received != "" && sentIn(s, received) {
					continue // it returns what it was called with
				}
				seen := s.proof()
				seen.Subject, seen.Pointer = tool, "/structuredContent"+v.Path
				p.once(seen, "structuredContent does not match outputSchema: %s", clip.Text(v.Message, 200))
			}
		}
		return nil
	},
}

// checkedFormats are the formats about which validators agree.
var checkedFormats = []string{"date-time", "date", "email", "uri", "uuid"}

// wrongFormats returns the texts in a result that do not have their format. An empty text means that there is no value.
func (p *CheckContext) wrongFormats(tool string, content json.RawMessage) []schema.Violation {
	output := p.outputSchemaOf(tool)
	if output == nil || !strings.Contains(string(output), `"format"`) {
		return nil
	}
	compiled, err := schema.Compile(output, &schema.Options{Dialect: p.Revision.Dialect, AssertFormat: true})
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(compiled.Validate(content), func(v schema.Violation) bool {
		text := schema.TextAt(content, v.Path)
		return v.Rule != "format" || !slices.Contains(checkedFormats, strings.TrimPrefix(v.Expected, "format ")) ||
			text == "" || strings.HasSuffix(v.Expected, " date-time") && readableTime(text)
	})
}

// readableTime reports whether a time is valid but for the space in place of its T, which RFC 3339 permits.
func readableTime(text string) bool {
	raw, err := json.Marshal(strings.Replace(text, " ", "T", 1))
	compiled, bad := schema.Compile([]byte(`{"format":"date-time"}`), &schema.Options{AssertFormat: true})
	return err == nil && bad == nil && len(compiled.Validate(raw)) == 0
}

// outputSchemaOf returns the outputSchema of a tool; nil if it has none.
func (p *CheckContext) outputSchemaOf(tool string) json.RawMessage {
	for _, item := range p.round.listed() {
		if item.Name == tool {
			return At(item.Raw, "/outputSchema")
		}
	}
	return nil
}
