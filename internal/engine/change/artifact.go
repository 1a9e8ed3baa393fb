package change

import "fmt"

// artifacts are the changes that schema generators and SDKs make in all tools at once. The most general message of each
// replaces the messages per tool.
var artifacts = []struct{ id, message string }{
	{"dialect", "dialect of the schemas changed"},
	{"safe-integers", "integers are limited to ±(2^53-1), or no longer are"},
	{"closed", "undeclared properties are rejected now"},
	{"opened", "undeclared properties are accepted now"},
	{"rewritten", "schemas written differently, accept the same"},
	{"default-hints", "annotations spell out or omit default hints"},
	{"task-support", "task support of the SDK changed; plain calls work as before"},
	{"schema-vanished", "input schemas vanished: they declare no type and no parameters"},
	{"schema-returned", "input schemas declare parameters again"},
}

// foldShare is the share of the tools from which a change is attributed to the generator, not to the author.
const foldShare = 0.8

// fold summarizes the artifacts. One that rejects or adds nothing that is declared becomes cosmetic if it is in most of
// the tools of both sides.
func (d *Diff) fold() {
	common := d.commonTools()
	uses := map[string]int{}
	for _, item := range d.Items {
		if item.Kind != ToolItem {
			continue
		}
		seen := map[string]bool{}
		for _, c := range item.Changes {
			if c.Artifact != "" && !seen[c.Artifact] {
				seen[c.Artifact] = true
				uses[c.Artifact]++
			}
		}
	}
	for _, known := range artifacts {
		count := uses[known.id]
		if count < 3 || float64(count) < foldShare*float64(common) {
			continue
		}
		folded := ArtifactFolded{ID: known.id, Message: known.message, Tools: count, Of: common}
		for i := range d.Items {
			for j := range d.Items[i].Changes {
				c := &d.Items[i].Changes[j]
				if c.Artifact != known.id {
					continue
				}
				if known.id == "closed" || known.id == "opened" || known.id == "task-support" {
					c.Verdict, c.Basis = Cosmetic, fmt.Sprintf("rule: generator (%d of %d tools)", count, common)
				}
				folded.Verdict = worse(c.Verdict, folded.Verdict)
			}
		}
		d.Artifacts = append(d.Artifacts, folded)
	}
}

// commonTools counts the tools that both sides have.
func (d *Diff) commonTools() int {
	common := d.Old.Tools
	for _, item := range d.Items {
		if item.Kind == ToolItem && item.Status == Removed {
			common--
		}
	}
	return common
}
