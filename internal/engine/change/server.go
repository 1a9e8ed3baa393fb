package change

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// server compares what the handshake says.
func (d *Diff) server(before, after *Surface) {
	if !before.knows("server") || !after.knows("server") {
		return
	}
	item := Item{Kind: ServerItem, Name: after.Name, Status: Changed}
	if before.Name != after.Name {
		item.Changes = append(item.Changes, Change{Kind: "server-name", Path: "/serverInfo/name", Verdict: Meaning,
			Basis: "rule: text",
			Message: fmt.Sprintf("server name changed from %s to %s; settings that refer to the old name no longer "+
				"apply", quote(before.Name), quote(after.Name))})
	}
	if c := textChange("instructions", "/instructions", "instructions", before.Instructions,
		after.Instructions); c != nil {
		item.Changes = append(item.Changes, *c)
	}
	if before.Capabilities != nil && after.Capabilities != nil {
		item.Changes = append(item.Changes, compareCapabilities(object(before.Capabilities),
			object(after.Capabilities))...)
	}
	if before.Protocol != after.Protocol && before.Protocol != "" && after.Protocol != "" {
		item.Changes = append(item.Changes, Change{Kind: "protocol", Path: "/protocolVersion", Verdict: Compatible,
			Basis:   "rule: negotiated",
			Message: fmt.Sprintf("protocol version changed from %s to %s", before.Protocol, after.Protocol)})
	}
	if len(item.Changes) > 0 {
		d.Items = append(d.Items, item)
	}
}

// requestsOf are the requests that only a declared capability allows. The lists of tools, prompts and resources are
// compared item by item, so that the loss of an empty list is no break.
var requestsOf = map[string]Counterexample{
	"completions": {Method: "completion/complete"},
	"logging":     {Method: "logging/setLevel", Arguments: json.RawMessage(`{"level":"info"}`)},
	"tasks":       {Method: "tasks/get"},
}

func compareCapabilities(before, after map[string]any) []Change {
	var changes []Change
	names := append(sortedKeys(before), sortedKeys(after)...)
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		was, had := before[name]
		is, has := after[name]
		path := "/capabilities/" + schema.Token(name)
		switch {
		case had && !has:
			c := Change{Kind: "capability-removed", Path: path, Verdict: Meaning,
				Message: "capability " + name + " removed", Basis: "rule: capability", Old: encode(was)}
			if request, ok := requestsOf[name]; ok {
				request.Rejection = "the server does not declare the capability " + name
				c.Verdict, c.Counterexample = Breaking, &request
			}
			changes = append(changes, c)
		case !had && has:
			changes = append(changes, Change{Kind: "capability-added", Path: path, Verdict: Compatible,
				Message: "capability " + name + " added", Basis: "rule: capability", New: encode(is)})
		case !equal(was, is):
			changes = append(changes, capabilityChanged(name, path, was, is))
		}
	}
	return changes
}

func capabilityChanged(name, path string, was, is any) Change {
	c := Change{Kind: "capability-changed", Path: path, Verdict: Compatible, Basis: "rule: capability",
		Old: encode(was), New: encode(is),
		Message: fmt.Sprintf("capability %s changed from %s to %s", name, brief(was), brief(is))}
	old, _ := was.(map[string]any)
	now, _ := is.(map[string]any)
	if name == "resources" && old["subscribe"] == true && now["subscribe"] != true {
		c.Verdict = Breaking
		c.Counterexample = &Counterexample{Method: "resources/subscribe",
			Rejection: "the server does not declare resources.subscribe"}
	}
	return c
}

// textChange compares two texts that a model reads; nil if they are equal.
func textChange(kind, path, subject, before, after string) *Change {
	if before == after {
		return nil
	}
	c := &Change{Kind: kind, Path: path, Verdict: Meaning, Basis: "rule: text", Old: encode(before), New: encode(after)}
	switch {
	case plainText(before) == plainText(after):
		c.Verdict, c.Message = Cosmetic, subject+": only white space changed"
	case before == "":
		c.Message = subject + " added"
	case after == "":
		c.Message = subject + " removed"
	default:
		c.Message = subject + " changed"
	}
	return c
}
