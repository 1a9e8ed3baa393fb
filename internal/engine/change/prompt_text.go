package change

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A PromptText is what prompts/get returns for a prompt.
type PromptText struct {
	Arguments json.RawMessage // what was sent; nil if nothing was
	Result    json.RawMessage // the messages and the description of the response
	Unstable  string          // why it may differ next time; empty if it is expected to stay the same
}

// promptTexts compares the texts of prompts that both surfaces have, and lists those that cannot be compared.
func (d *Diff) promptTexts(before, after *Surface) {
	if before.Texts == nil || after.Texts == nil {
		return
	}
	_, order := keyed(before.Prompts, "name")
	now, _ := keyed(after.Prompts, "name")
	for _, name := range order {
		if now[name] == nil {
			continue
		}
		was, had := before.Texts[name]
		is, has := after.Texts[name]
		why := ""
		switch {
		case had && was.Unstable == "" && has:
			if c := comparePromptTexts(was, is); c != nil {
				d.addChange(PromptItem, name, *c)
			}
		case had && was.Unstable != "":
			why = was.Unstable
		case had:
			why = cmp.Or(after.Unread[name], "the text was not read")
		default:
			why = cmp.Or(before.Unread[name], after.Unread[name], is.Unstable, "the old text is not known")
		}
		if why != "" {
			d.Remarks = append(d.Remarks, fmt.Sprintf("text of prompt %s was not compared: %s", quote(name), why))
		}
	}
}

// addChange adds a change to the item of a definition, which may have no other change.
func (d *Diff) addChange(kind, name string, c Change) {
	if item := d.Find(kind, name); item != nil {
		item.Changes = append(item.Changes, c)
		return
	}
	d.Items = append(d.Items, Item{Kind: kind, Name: name, Status: Changed, Changes: []Change{c}})
}

// comparePromptTexts compares two responses; nil if they are equal.
func comparePromptTexts(was, is PromptText) *Change {
	before, after := decode(was.Result), decode(is.Result)
	if equal(before, after) {
		return nil
	}
	if c := textChange("prompt-text", "/text", "text", readable(before), readable(after)); c != nil {
		return c
	}
	return &Change{Kind: "prompt-text", Path: "/text", Verdict: Meaning, Basis: "rule: text",
		Message: "content of the text changed", Old: was.Result, New: is.Result}
}

// readable is the text of a response as a model reads it: each message with its role.
func readable(result any) string {
	in, _ := result.(map[string]any)
	messages, _ := in["messages"].([]any)
	lines := []string{textOf(in["description"])}
	for _, one := range messages {
		message, _ := one.(map[string]any)
		content, _ := message["content"].(map[string]any)
		resource, _ := content["resource"].(map[string]any)
		text := cmp.Or(textOf(content["text"]), textOf(resource["text"]))
		if text == "" {
			text = brief(message["content"])
		}
		lines = append(lines, textOf(message["role"])+": "+text)
	}
	return strings.Join(slices.DeleteFunc(lines, func(line string) bool { return line == "" }), "\n")
}

// located lists the strings of a response, for the search for attacks.
func (t PromptText) located() []located {
	all := textsOf(decode(t.Result))
	for i := range all {
		all[i].pointer = "/text" + all[i].pointer
	}
	return all
}
