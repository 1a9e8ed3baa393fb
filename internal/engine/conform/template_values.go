package conform

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/exposure"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// Limits of reading templates with values that the server mentions.
const (
	maxTemplateReads = 4  // of each template
	maxListedValues  = 50 // of a source
	maxListedText    = 8 << 10
)

// codeUnknownResource is the code for a resource that does not exist, up to 2025-11-25.
const codeUnknownResource = -32002

// A knownRead is a template that was read with values that the server mentions, until one could be read.
type knownRead struct {
	item   mcp.Item
	failed []string      // documented values that do not exist
	uri    string        // of the last read
	last   *mcp.Exchange // the last read
	other  bool          // a read failed for another reason
}

// isRead reports whether a value could be read.
func (r *knownRead) isRead() bool { return r.last != nil && r.last.Reply.Error == nil }

// knownReads reads each template with one variable with values that the server mentions.
func (p *CheckContext) knownReads(ctx context.Context) ([]knownRead, error) {
	list, err := p.Offered(ctx, "resources/templates/list")
	if err != nil {
		return nil, err
	}
	return remember(ctx, p, "known reads", func() ([]knownRead, error) {
		var all []knownRead
		for _, item := range list.Items[:min(len(list.Items), maxReads)] {
			found := variable().FindAllStringSubmatch(item.Name, -1)
			if len(found) != 1 || templateProblem(item.Name) != "" || len(braces().FindAllString(item.Name, 2)) != 1 {
				continue
			}
			r, err := p.readKnown(ctx, item, found[0][1])
			if err != nil {
				return all, err
			}
			all = append(all, r)
		}
		return all, nil
	})
}

// readKnown reads a template with the values of its variable, those first that its description mentions and the server
// lists elsewhere: an example that nothing else confirms may not exist.
func (p *CheckContext) readKnown(ctx context.Context, item mcp.Item, name string) (r knownRead, err error) {
	r.item = item
	listed, err := p.listedValues(ctx, item.Name, name)
	if err != nil {
		return r, err
	}
	mentioned := schema.Mentioned(schema.TextAt(item.Raw, "/description"))
	isUnlisted := func(value string) bool { return !slices.Contains(listed, value) }
	documented := slices.DeleteFunc(slices.Clone(mentioned), isUnlisted)
	tried := map[string]bool{}
	for _, value := range slices.Concat(documented, listed, mentioned) {
		if tried[value] || len(tried) == maxTemplateReads || value == "" {
			continue
		}
		tried[value] = true
		r.uri = braces().ReplaceAllLiteralString(item.Name, escapedFor(item.Name, value))
		if r.last, err = p.Call(ctx, "resources/read", mcp.Object("uri", r.uri)); err != nil || r.isRead() {
			return r, err
		}
		switch refusal := r.last.Reply.Error; {
		case refusal.Code != codeUnknownResource && !exposure.DeniesExistence(refusal.Message):
			r.other = true
		case slices.Contains(documented, value):
			r.failed = append(r.failed, value)
		}
	}
	return r, nil
}

// listedValues returns the values of a variable that the server lists: completions, values of arguments of tools with the
// same name, results, and texts of other resources.
func (p *CheckContext) listedValues(ctx context.Context, template, name string) ([]string, error) {
	var all []string
	if p.round.declares("completions") {
		suggested, err := p.suggested(ctx, template)
		if err != nil {
			return nil, err
		}
		all = suggested
	}
	if p.round.offers("tools") {
		list, err := p.List(ctx, "tools/list")
		for _, tool := range itemsOf(list, err) {
			all = append(all, stringsIn(At(declaredArgument(tool.Raw, name), "/enum"))...)
		}
		done, err := p.Called(ctx)
		if skip := (*errSkip)(nil); err != nil && !errors.As(err, &skip) {
			return nil, err
		}
		all = append(all, namedValues(name, done)...)
	}
	reads, err := p.Reads(ctx)
	if skip := (*errSkip)(nil); err != nil && !errors.As(err, &skip) {
		return nil, err
	}
	for _, r := range reads {
		for _, b := range contentsOf(r.Exchange.Reply.Result) {
			if text := schema.TextAt(b.raw, "/text"); len(text) <= maxListedText {
				all = append(all, valuesInText(name, text)...)
			}
		}
	}
	return all, nil
}

// valuesInText returns the values of a variable in the text of a resource: those under its name in JSON, the strings of a
// list, or the lines of a text.
func valuesInText(name, text string) []string {
	raw := json.RawMessage(text)
	var all []string
	switch {
	case json.Valid(raw):
		all = append(valuesUnder(name, raw, maxSearched), stringsIn(raw)...)
	case strings.Contains(strings.TrimSpace(text), "\n"):
		for line := range strings.Lines(text) {
			if value := strings.TrimSpace(strings.TrimLeft(line, "-*• ")); value != "" && len(value) <= maxValueSize {
				all = append(all, value)
			}
		}
	}
	return all[:min(len(all), maxListedValues)]
}
