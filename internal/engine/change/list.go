package change

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// list compares prompts, resources or templates by their key.
func (d *Diff) list(kind, key, method string, before, after []json.RawMessage,
	compare func(name string, was, is map[string]any) []Change) {
	old, oldOrder := keyed(before, key)
	now, nowOrder := keyed(after, key)
	for _, name := range oldOrder {
		is, ok := now[name]
		if !ok {
			gone := Change{Kind: kind + "-removed", Verdict: Breaking, Message: kind + " removed",
				Basis: "rule: removed",
				Counterexample: &Counterexample{Method: method, Name: name, Arguments: promptArguments(kind, old[name]),
					Rejection: "unknown " + kind}}
			d.Items = append(d.Items, Item{Kind: kind, Name: name, Status: Removed, Changes: []Change{gone}})
			continue
		}
		if changes := compare(name, old[name], is); len(changes) > 0 {
			d.Items = append(d.Items, Item{Kind: kind, Name: name, Status: Changed, Changes: changes})
		}
	}
	for _, name := range nowOrder {
		if _, ok := old[name]; !ok {
			d.Items = append(d.Items, Item{Kind: kind, Name: name, Status: Added,
				Changes: []Change{{Kind: kind + "-added", Verdict: Compatible, Message: kind + " added",
					Basis: "rule: added"}}})
		}
	}
	d.order(kind, oldOrder, nowOrder)
}

// order reports that the common entries are listed in another order: a prompt cache does not apply.
func (d *Diff) order(kind string, before, after []string) {
	common := func(own, other []string) []string {
		return slices.DeleteFunc(slices.Clone(own), func(name string) bool { return !slices.Contains(other, name) })
	}
	if !d.unordered && !slices.Equal(common(before, after), common(after, before)) {
		d.Items = append(d.Items, Item{Kind: ServerItem, Name: kind + " list", Status: Changed,
			Changes: []Change{{Kind: "order", Verdict: Cosmetic, Message: "order of the " + kind + "s changed",
				Basis: "rule: order"}}})
	}
}

// keyed indexes entries; of duplicates the first counts.
func keyed(list []json.RawMessage, key string) (map[string]map[string]any, []string) {
	entries := map[string]map[string]any{}
	var order []string
	for _, raw := range list {
		entry := object(raw)
		name := textOf(entry[key])
		if _, duplicate := entries[name]; !duplicate && entry != nil {
			entries[name] = entry
			order = append(order, name)
		}
	}
	return entries, order
}

// A promptArgument is one declared argument of a prompt.
type promptArgument struct {
	description string
	required    bool
}

func argumentsOf(prompt map[string]any) (map[string]promptArgument, []string) {
	list, _ := prompt["arguments"].([]any)
	found := map[string]promptArgument{}
	var order []string
	for _, one := range list {
		argument, _ := one.(map[string]any)
		name := textOf(argument["name"])
		found[name] = promptArgument{textOf(argument["description"]), argument["required"] == true}
		order = append(order, name)
	}
	return found, order
}

// promptArguments are the smallest arguments of a prompt.
func promptArguments(kind string, prompt map[string]any) json.RawMessage {
	if kind != PromptItem {
		return nil
	}
	arguments, _ := argumentsOf(prompt)
	smallest := map[string]any{}
	for name, argument := range arguments {
		if argument.required {
			smallest[name] = "x"
		}
	}
	return encode(smallest)
}

func comparePrompt(name string, was, is map[string]any) []Change {
	changes := compareTexts(was, is)
	old, oldOrder := argumentsOf(was)
	now, nowOrder := argumentsOf(is)
	for _, argument := range oldOrder {
		path := "/arguments/" + schema.Token(argument)
		current, ok := now[argument]
		switch {
		case !ok:
			changes = append(changes, Change{Kind: "argument-removed", Path: path, Verdict: Meaning,
				Basis:   "rule: argument ignored",
				Message: fmt.Sprintf("argument %s removed", argument)})
			continue
		case current.required && !old[argument].required:
			changes = append(changes, requiredArgument(name, argument, path, was, "is required now"))
		case !current.required && old[argument].required:
			changes = append(changes, Change{Kind: "argument-optional", Path: path, Verdict: Compatible,
				Basis:   "rule: optional",
				Message: fmt.Sprintf("argument %s is optional now", argument)})
		}
		if c := textChange("argument-description", path+"/description", "description of argument "+argument,
			old[argument].description, current.description); c != nil {
			changes = append(changes, *c)
		}
	}
	for _, argument := range nowOrder {
		if _, ok := old[argument]; ok {
			continue
		}
		path := "/arguments/" + schema.Token(argument)
		if now[argument].required {
			changes = append(changes, requiredArgument(name, argument, path, was, "added, required"))
			continue
		}
		changes = append(changes, Change{Kind: "argument-added", Path: path, Verdict: Compatible,
			Basis:   "rule: optional",
			Message: fmt.Sprintf("argument %s added, optional", argument)})
	}
	return append(changes, compareRest(was, is, "name", "title", "description", "arguments")...)
}

func requiredArgument(prompt, argument, path string, was map[string]any, how string) Change {
	return Change{Kind: "argument-required", Path: path, Verdict: Breaking, Basis: "counterexample",
		Message: fmt.Sprintf("argument %s %s", argument, how),
		Counterexample: &Counterexample{Method: "prompts/get", Name: prompt,
			Arguments: promptArguments(PromptItem, was), Rejection: "missing argument " + argument}}
}

func compareResource(_ string, was, is map[string]any) []Change {
	changes := compareTexts(was, is)
	for _, field := range []string{"name", "mimeType"} {
		if c := textChange(field, "/"+field, field, textOf(was[field]), textOf(is[field])); c != nil {
			changes = append(changes, *c)
		}
	}
	return append(changes, compareRest(was, is, "uri", "uriTemplate", "name", "title", "description", "mimeType")...)
}

// compareTexts compares the texts that every definition has.
func compareTexts(was, is map[string]any) []Change {
	var changes []Change
	for _, field := range []string{"title", "description"} {
		if c := textChange(field, "/"+field, field, textOf(was[field]), textOf(is[field])); c != nil {
			changes = append(changes, *c)
		}
	}
	return changes
}

// compareRest reports the other fields that differ: they change no call.
func compareRest(was, is map[string]any, except ...string) []Change {
	var changes []Change
	names := append(sortedKeys(was), sortedKeys(is)...)
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if slices.Contains(except, name) || equal(was[name], is[name]) {
			continue
		}
		changes = append(changes, Change{Kind: "field", Path: "/" + schema.Token(name), Verdict: Cosmetic,
			Basis:   "rule: no effect on calls",
			Message: name + " changed", Old: present(was, name), New: present(is, name)})
	}
	return changes
}

func present(entry map[string]any, name string) json.RawMessage {
	value, ok := entry[name]
	if !ok {
		return nil
	}
	return encode(value)
}
