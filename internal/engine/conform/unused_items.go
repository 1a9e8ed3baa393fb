package conform

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// Limits of calls with items that no other check used.
const (
	maxUnused      = 3 // tools
	maxUnusedItems = 6 // items of each: some are marked as read already
)

// changedByUnused returns calls that change a view with items that no check has used: what a server marks as read stays so for all
// its sessions. Two items have to change the same view.
func (p *CheckContext) changedByUnused(ctx context.Context, s *mcp.Session, tools []Tool, ends time.Time) ([]changingCall, error) {
	done, err := p.Called(ctx)
	if err != nil {
		return nil, err
	}
	tried := 0
	for _, t := range tools {
		unused := unusedItems(t, done)
		if len(unused) < 2 || tried == maxUnused || time.Now().After(ends) {
			continue
		}
		tried++
		views := slices.DeleteFunc(p.observers(ctx, tools), func(o observer) bool { return o.subject == t.Name })
		seen := map[string]bool{}
		for _, arguments := range unused[max(len(unused)-maxUnusedItems, 0):] { // the last ones: others take the first
			t.Arguments = arguments
			changed, err := p.changesOnce(ctx, s, t, views)
			if err != nil {
				return nil, err
			}
			for _, call := range changed {
				if seen[call.view.subject] {
					return []changingCall{call}, nil
				}
				seen[call.view.subject] = true
			}
		}
	}
	return nil, nil
}

// unusedItems returns the arguments of a tool with items that other tools listed and with which it was not called.
func unusedItems(t Tool, done []CallResult) []json.RawMessage {
	for _, name := range stringsIn(At(t.Definition, "/inputSchema/required")) {
		used := []string{schema.Plain(member(t.Arguments, name)), schema.Plain(member(t.Other, name))}
		var all []json.RawMessage
		for _, value := range listedFor(name, schema.NounOf(t.Name), describedArgument(t, name), done) {
			if value == "" || slices.Contains(used, value) {
				continue
			}
			used = append(used, value)
			raw, _ := json.Marshal(value) // a string always marshals
			if schema.Kind(member(t.Arguments, name)) == '0' {
				raw = []byte(value)
			}
			if arguments := withArgument(t, t.Arguments, name, string(raw)); hasArgument(arguments, name, string(raw)) {
				all = append(all, arguments)
			}
		}
		if len(all) > 1 {
			return all
		}
	}
	return nil
}
