package change

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/subschema"
)

// tools compares the tools of two surfaces. Pairs are compared in parallel, and reported in the order of the old list.
func (d *Diff) tools(before, after []json.RawMessage) {
	old, oldOrder := definitions(before, "name")
	now, nowOrder := definitions(after, "name")
	missing := func(in map[string]json.RawMessage) func(string) bool {
		return func(name string) bool { _, ok := in[name]; return !ok }
	}
	removed := slices.Collect(filter(oldOrder, missing(now)))
	added := slices.Collect(filter(nowOrder, missing(old)))
	renamed := matchTools(removed, added, decodeTools(removed, old), decodeTools(added, now))

	cache := &schema.Cache{}
	items := make([]*Item, len(oldOrder))
	each(len(oldOrder), func(i int) {
		name := oldOrder[i]
		switch is, ok := now[name]; {
		case ok:
			items[i] = compareDefinitions(name, old[name], is, cache)
		case renamed[name] != "":
			items[i] = renamedTool(name, renamed[name], object(old[name]), object(now[renamed[name]]), cache)
		default:
			items[i] = removedTool(name, object(old[name]))
		}
	})
	for _, item := range items {
		if item != nil {
			d.Items = append(d.Items, *item)
		}
	}
	for _, name := range added {
		if !isNewName(renamed, name) {
			d.Items = append(d.Items, Item{Kind: ToolItem, Name: name, Status: Added,
				Changes: []Change{{Kind: "tool-added", Verdict: Compatible, Message: "tool added",
					Basis: "rule: added"}}})
		}
	}
	d.order(ToolItem, oldOrder, nowOrder)
}

// maxDefinition is the largest definition of a tool that is compared, in bytes.
const maxDefinition = 256 << 10

// compareDefinitions compares a tool that both sides have; nil if it is the same.
func compareDefinitions(name string, was, is json.RawMessage, cache *schema.Cache) *Item {
	if sameText(was, is) {
		return nil
	}
	item := &Item{Kind: ToolItem, Name: name, Status: Changed}
	if len(was) > maxDefinition || len(is) > maxDefinition {
		item.Changes = []Change{{Kind: "definition", Verdict: Unknown, Message: "definition is too large to compare",
			Basis: fmt.Sprintf("%d and %d bytes, at most %d are compared", len(was), len(is), maxDefinition)}}
		return item
	}
	if changed := compareTool(name, object(was), object(is), cache); changed != nil {
		return changed
	}
	item.Changes = []Change{{Kind: "rewritten", Verdict: Cosmetic, Basis: "rule: equal JSON",
		Message: "fields in another order", Artifact: "rewritten"}}
	return item
}

// definitions indexes entries by their key, as they were written; of duplicates the first counts.
func definitions(list []json.RawMessage, key string) (map[string]json.RawMessage, []string) {
	all := map[string]json.RawMessage{}
	var order []string
	for _, raw := range list {
		value, _ := schema.Get(raw, "/"+key)
		name, ok := schema.Text(value)
		if _, duplicate := all[name]; ok && !duplicate {
			all[name] = raw
			order = append(order, name)
		}
	}
	return all, order
}

func decodeTools(names []string, from map[string]json.RawMessage) map[string]map[string]any {
	all := map[string]map[string]any{}
	for _, name := range names {
		all[name] = object(from[name])
	}
	return all
}

func filter(names []string, keep func(string) bool) func(func(string) bool) {
	return func(yield func(string) bool) {
		for _, name := range names {
			if keep(name) && !yield(name) {
				return
			}
		}
	}
}

func isNewName(renamed map[string]string, name string) bool {
	for _, to := range renamed {
		if to == name {
			return true
		}
	}
	return false
}

// sameText compares JSON apart from white space.
func sameText(a, b json.RawMessage) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

// each runs a function for every index on all processors.
func each(count int, do func(int)) {
	var wait sync.WaitGroup
	next := make(chan int)
	for range min(runtime.GOMAXPROCS(0), max(count, 1)) {
		wait.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	for i := range count {
		next <- i
	}
	close(next)
	wait.Wait()
}

// compareTool lists the differences of one tool; nil if there are none.
func compareTool(name string, was, is map[string]any, cache *schema.Cache) *Item {
	if equal(was, is) {
		return nil
	}
	item := &Item{Kind: ToolItem, Name: name, Status: Changed}
	item.Changes = compareTexts(was, is)
	item.Changes = append(item.Changes, compareAnnotations(was["annotations"], is["annotations"])...)
	if c := compareExecution(name, was, is); c != nil {
		item.Changes = append(item.Changes, *c)
	}
	input := compareInput(name, was["inputSchema"], is["inputSchema"], cache)
	output := compareOutput(name, was["outputSchema"], is["outputSchema"], cache)
	item.Changes = append(append(item.Changes, input.changes...), output.changes...)
	if item.Undeclared = input.undeclared; item.Undeclared == nil {
		item.Undeclared = output.undeclared
	}
	item.Changes = append(item.Changes,
		compareRest(was, is, "name", "title", "description", "annotations", "execution", "inputSchema",
			"outputSchema")...)
	if len(item.Changes) == 0 {
		return nil
	}
	return item
}

func removedTool(name string, was map[string]any) *Item {
	return &Item{Kind: ToolItem, Name: name, Status: Removed,
		Changes: []Change{{Kind: "tool-removed", Verdict: Breaking,
			Message: "tool removed", Basis: "counterexample", Counterexample: plainCall(name, was, "unknown tool")}}}
}

func renamedTool(name, to string, was, is map[string]any, cache *schema.Cache) *Item {
	item := compareTool(to, was, is, cache)
	if item == nil {
		item = &Item{Kind: ToolItem, Name: to}
	}
	item.Was, item.Status = name, Renamed
	item.Changes = slices.Insert(item.Changes, 0,
		Change{Kind: "tool-renamed", Verdict: Breaking, Basis: "counterexample",
			Message: fmt.Sprintf("tool renamed from %s", name), Counterexample: plainCall(name, was, "unknown tool")})
	return item
}

// plainCall is the smallest call of a tool.
func plainCall(name string, tool map[string]any, rejection string) *Counterexample {
	arguments, ok := subschema.Smallest(encode(asObject(tool["inputSchema"])))
	if !ok {
		arguments = json.RawMessage("{}")
	}
	return &Counterexample{Method: "tools/call", Name: name, Arguments: arguments, Rejection: rejection}
}

// hintDefaults are the values of the specification for hints that are not given.
var hintDefaults = map[string]bool{"readOnlyHint": false, "destructiveHint": true, "idempotentHint": false,
	"openWorldHint": true}

func compareAnnotations(was, is any) []Change {
	old, _ := was.(map[string]any)
	now, _ := is.(map[string]any)
	var changes []Change
	names := append(sortedKeys(old), sortedKeys(now)...)
	slices.Sort(names)
	spelled := false
	for _, name := range slices.Compact(names) {
		before, after := old[name], now[name]
		if equal(before, after) {
			continue
		}
		fallback, known := hintDefaults[name]
		if known && equal(orDefault(before, fallback), orDefault(after, fallback)) {
			spelled = true
			continue
		}
		c := Change{Kind: "annotation", Path: "/annotations/" + schema.Token(name), Verdict: Meaning,
			Basis: "rule: annotation", Old: present(old, name), New: present(now, name)}
		if known {
			c.Message = fmt.Sprintf("%s changed from %s to %s", name, hint(before, fallback), hint(after, fallback))
		} else {
			c.Message = fmt.Sprintf("annotation %s changed from %s to %s", name, brief(before), brief(after))
		}
		changes = append(changes, c)
	}
	if spelled && len(changes) == 0 {
		changes = append(changes, Change{Kind: "annotation-default", Path: "/annotations", Verdict: Cosmetic,
			Basis:   "rule: default hints",
			Message: "annotations spell out or omit default hints", Artifact: "default-hints"})
	}
	return changes
}

func orDefault(value any, fallback bool) any {
	if value == nil {
		return fallback
	}
	return value
}

func hint(value any, fallback bool) string {
	if value == nil {
		return fmt.Sprintf("%t (default)", fallback)
	}
	return brief(value)
}

// compareExecution compares whether a call must or may be a task.
func compareExecution(name string, was, is map[string]any) *Change {
	if equal(was["execution"], is["execution"]) {
		return nil
	}
	support := func(tool map[string]any) string {
		execution, _ := tool["execution"].(map[string]any)
		if text := textOf(execution["taskSupport"]); text != "" {
			return text
		}
		return "forbidden"
	}
	before, after := support(was), support(is)
	c := &Change{Kind: "task-support", Path: "/execution", Verdict: Cosmetic, Basis: "rule: task support",
		Artifact: "task-support",
		Message:  "execution spells out or omits the default", Old: present(was, "execution"),
		New: present(is, "execution")}
	if before == after {
		return c
	}
	c.Verdict, c.Message = Compatible, fmt.Sprintf("task support changed from %s to %s; plain calls work as before",
		before, after)
	if after == "required" || before == "required" {
		c.Verdict, c.Artifact, c.Basis = Breaking, "", "counterexample"
		c.Message = fmt.Sprintf("task support changed from %s to %s", before, after)
		c.Counterexample = plainCall(name, was, "the tool requires a task")
		if before == "required" {
			c.Counterexample.Rejection = "the tool does not support tasks"
		}
	}
	return c
}
