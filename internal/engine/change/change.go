// Package change compares two states of a server and says for each difference whether it breaks a caller.
//
// A state is a [Surface]: the tools, prompts, resources, templates, instructions and capabilities of a server.
// [Compare] gives each difference a [Verdict] and what it rests on: a counterexample that both schemas confirm, a rule,
// or a number of samples.
package change

import (
	"encoding/json"
	"slices"
)

// A Verdict says what a difference means for those who use the server.
type Verdict string

// The verdicts.
const (
	// a valid call is rejected now, a promised result is not promised, something is gone
	Breaking   Verdict = "breaking"
	Unknown    Verdict = "unknown"    // could not be decided
	Meaning    Verdict = "meaning"    // accepts the same calls, but a model may act differently
	Compatible Verdict = "compatible" // everything that worked still works
	Cosmetic   Verdict = "cosmetic"   // accepts exactly the same, and says the same
)

// verdicts lists every verdict, the most severe first.
var verdicts = []Verdict{Breaking, Unknown, Meaning, Compatible, Cosmetic}

// Verdicts lists every verdict, the most severe first.
func Verdicts() []Verdict { return slices.Clone(verdicts) }

// rank orders verdicts; a lower rank is more severe. Nothing changed ranks last.
func (v Verdict) rank() int {
	if i := slices.Index(verdicts, v); i >= 0 {
		return i
	}
	return len(verdicts)
}

// AtLeast reports whether v is as severe as floor, or more.
func (v Verdict) AtLeast(floor Verdict) bool { return v.rank() <= floor.rank() }

func worse(a, b Verdict) Verdict {
	if a.rank() < b.rank() {
		return a
	}
	return b
}

// A Surface is what a server offers at one time.
type Surface struct {
	Source       string // where it was read from
	Name         string // serverInfo.name
	Version      string // serverInfo.version
	Protocol     string
	Instructions string
	Capabilities json.RawMessage // nil if unknown

	Tools, Prompts, Resources, Templates []json.RawMessage

	Texts  map[string]PromptText // by prompt; nil if the source has no texts
	Unread map[string]string     // by prompt: why its text could not be read

	Unordered bool // the lists are sorted, so that their order means nothing

	// Partial names what the source does not say: "server", "prompts", "resources", "templates". It is not compared.
	Partial []string
}

func (s *Surface) knows(part string) bool { return !slices.Contains(s.Partial, part) }

// A Diff is every difference between two surfaces.
type Diff struct {
	Old     Side            `json:"old"`
	New     Side            `json:"new"`
	Verdict Verdict         `json:"verdict,omitempty"` // the most severe of all items; empty if nothing changed
	Semver  Semver          `json:"semver"`
	Counts  map[Verdict]int `json:"counts"` // items by verdict
	Items   []Item          `json:"items"`
	// changes that a schema generator made in most tools at once
	Artifacts []ArtifactFolded `json:"artifacts,omitempty"`
	Remarks   []string         `json:"remarks,omitempty"` // what could not be compared

	unordered bool
}

// A Side describes one of the two surfaces.
type Side struct {
	Source  string `json:"source"`
	Name    string `json:"name,omitempty"`
	Version string `json:"version,omitempty"`
	Tools   int    `json:"tools"`
}

// The kinds of an Item.
const (
	ServerItem   = "server"
	ToolItem     = "tool"
	PromptItem   = "prompt"
	ResourceItem = "resource"
	TemplateItem = "template"
)

// The statuses of an Item.
const (
	Added   = "added"
	Removed = "removed"
	Renamed = "renamed"
	Changed = "changed"
)

// An Item is something that a server offers and that differs.
type Item struct {
	Kind    string   `json:"kind"`
	Name    string   `json:"name"`
	Was     string   `json:"was,omitempty"` // the old name of something renamed
	Status  string   `json:"status"`
	Verdict Verdict  `json:"verdict"` // the most severe of the changes, undeclared arguments aside
	Changes []Change `json:"changes"`

	// Undeclared is set if only calls with arguments that the old schema does not declare are rejected now.
	Undeclared *Counterexample `json:"undeclared,omitempty"`

	Suspicions []Suspicion `json:"suspicious,omitempty"`
}

// A Change is one difference in an item.
type Change struct {
	Kind           string          `json:"kind"`           // such as parameter-added
	Path           string          `json:"path,omitempty"` // JSON Pointer into the definition
	Verdict        Verdict         `json:"verdict"`
	Message        string          `json:"message"`
	Basis          string          `json:"basis"` // what the verdict rests on
	Artifact       string          `json:"artifact,omitempty"`
	Counterexample *Counterexample `json:"counterexample,omitempty"`
	Old            json.RawMessage `json:"old,omitempty"`
	New            json.RawMessage `json:"new,omitempty"`
}

// A Counterexample is a request or result that proves a break.
type Counterexample struct {
	Method    string          `json:"method"`              // such as tools/call
	Name      string          `json:"name,omitempty"`      // the tool, prompt or URI
	Arguments json.RawMessage `json:"arguments,omitempty"` // valid before and rejected now
	Result    json.RawMessage `json:"result,omitempty"`    // possible now and not promised before
	Rejection string          `json:"rejection"`           // what the other schema reports
}

// An ArtifactFolded is a change of a schema generator in most tools at once.
type ArtifactFolded struct {
	ID      string  `json:"id"`
	Verdict Verdict `json:"verdict"`
	Message string  `json:"message"`
	Tools   int     `json:"tools"`
	Of      int     `json:"of"`
}

// Find returns the item of a kind by its name.
func (d *Diff) Find(kind, name string) *Item {
	for i := range d.Items {
		if d.Items[i].Kind == kind && d.Items[i].Name == name {
			return &d.Items[i]
		}
	}
	return nil
}

// OmitCosmetic removes the items that are only cosmetic, and the cosmetic changes of the others. The counts include
// them.
func (d *Diff) OmitCosmetic() {
	kept := []Item{}
	for _, item := range d.Items {
		if item.Verdict == Cosmetic && len(item.Suspicions) == 0 {
			continue
		}
		item.Changes = slices.DeleteFunc(item.Changes, func(c Change) bool { return c.Verdict == Cosmetic })
		kept = append(kept, item)
	}
	d.Items = kept
}

// Compare lists every difference between two surfaces.
func Compare(before, after *Surface) *Diff {
	d := &Diff{Old: before.side(), New: after.side(), Items: []Item{}, Counts: map[Verdict]int{}}
	d.server(before, after)
	d.unordered = before.Unordered || after.Unordered
	d.tools(before.Tools, after.Tools)
	if before.knows("prompts") && after.knows("prompts") {
		d.list(PromptItem, "name", "prompts/get", before.Prompts, after.Prompts, comparePrompt)
		d.promptTexts(before, after)
	}
	if before.knows("resources") && after.knows("resources") {
		d.list(ResourceItem, "uri", "resources/read", before.Resources, after.Resources, compareResource)
	}
	if before.knows("templates") && after.knows("templates") {
		d.list(TemplateItem, "uriTemplate", "resources/read", before.Templates, after.Templates, compareResource)
	}
	d.suspect(before, after)
	d.fold()
	for i := range d.Items {
		item := &d.Items[i]
		item.conclude()
		d.Verdict = worse(item.Verdict, d.Verdict)
		d.Counts[item.Verdict]++
	}
	d.Semver = suggest(d)
	return d
}

func (s *Surface) side() Side {
	return Side{Source: s.Source, Name: s.Name, Version: s.Version, Tools: len(s.Tools)}
}

// conclude sorts the changes, the most severe first, and sets the verdict.
func (item *Item) conclude() {
	item.Verdict = ""
	for _, c := range item.Changes {
		item.Verdict = worse(c.Verdict, item.Verdict)
	}
	slices.SortStableFunc(item.Changes, func(a, b Change) int { return a.Verdict.rank() - b.Verdict.rank() })
}
