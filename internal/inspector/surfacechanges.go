package inspector

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	engine "github.com/mcptest-dev/mcptest/internal/engine/change"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// SurfaceChanges are the changes of a server since the user last connected.
type SurfaceChanges struct {
	Since time.Time     `json:"since"`
	Items []ChangedItem `json:"items"` // suspicious ones first, then the most severe
}

// A ChangedItem is something that the server offers and that changed.
type ChangedItem struct {
	Kind       string       `json:"kind"` // server, tool, prompt, resource, template
	Name       string       `json:"name"`
	Was        string       `json:"was,omitempty"` // the old name
	Verdict    string       `json:"verdict"`       // breaking, unknown, meaning, compatible
	Suspicious []Suspicion  `json:"suspicious"`
	Changes    []ItemChange `json:"changes"`
}

// A Suspicion is a change that an attack on a model would make.
type Suspicion struct {
	Rule    string `json:"rule"`
	Message string `json:"message"`
}

// An ItemChange is one change of an item.
type ItemChange struct {
	Verdict   string `json:"verdict"`
	Message   string `json:"message"`
	Old       string `json:"old,omitempty"` // the text before, if a text changed
	New       string `json:"new,omitempty"`
	Method    string `json:"method,omitempty"`    // of the counterexample
	Target    string `json:"target,omitempty"`    // the tool, prompt or URI that it uses
	CallJSON  string `json:"call_json,omitempty"` // its arguments, or the result that was not possible before
	Rejection string `json:"rejection,omitempty"` // the reason why it fails
}

// maxChangeText is the maximum length of a text of a change.
const maxChangeText = 4 << 10

// Changes returns what changed in a server since the user last connected.
func (i *Inspector) Changes(id string) (SurfaceChanges, error) {
	c, err := i.conn(id)
	if err != nil {
		return SurfaceChanges{}, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.changes == nil {
		return SurfaceChanges{Items: []ChangedItem{}}, nil
	}
	return *c.changes, nil
}

// DismissChanges accepts the present state: later connections are compared with it.
func (i *Inspector) DismissChanges(id string) (view.Link, error) {
	c, err := i.conn(id)
	if err != nil {
		return view.Link{}, err
	}
	c.memory.dismiss(i.surfaces)
	c.mu.Lock()
	c.changes = nil
	c.mu.Unlock()
	c.notifyLink()
	return c.snapshot(), nil
}

// summary counts changes; nil if there are none.
func (s *SurfaceChanges) summary() *view.SurfaceSummary {
	if s == nil {
		return nil
	}
	out := &view.SurfaceSummary{Since: s.Since, Items: len(s.Items)}
	for _, item := range s.Items {
		if item.Verdict == string(engine.Breaking) {
			out.Breaking++
		}
		out.Suspicious += min(1, len(item.Suspicious))
	}
	return out
}

// describeChanges prepares a difference for display; nil if there is none.
func describeChanges(d *engine.Diff, since time.Time) *SurfaceChanges {
	if len(d.Items) == 0 {
		return nil
	}
	out := &SurfaceChanges{Since: since, Items: []ChangedItem{}}
	var ranked [][]ChangedItem // suspicious, then by verdict
	for range len(engine.Verdicts()) + 1 {
		ranked = append(ranked, nil)
	}
	for _, item := range d.Items {
		at := 0
		if len(item.Suspicions) == 0 {
			at = 1 + rankOf(item.Verdict)
		}
		ranked[at] = append(ranked[at], describeChange(item))
	}
	for _, items := range ranked {
		out.Items = append(out.Items, items...)
	}
	return out
}

func rankOf(v engine.Verdict) int {
	all := engine.Verdicts()
	for n, one := range all {
		if one == v {
			return n
		}
	}
	return len(all) - 1
}

func describeChange(item engine.Item) ChangedItem {
	out := ChangedItem{Kind: item.Kind, Name: item.Name, Was: item.Was, Verdict: string(item.Verdict),
		Suspicious: []Suspicion{}, Changes: []ItemChange{}}
	for _, s := range item.Suspicions {
		out.Suspicious = append(out.Suspicious, Suspicion{Rule: s.Rule, Message: clip.Text(s.Message, maxChangeText)})
	}
	for _, c := range item.Changes {
		one := ItemChange{Verdict: string(c.Verdict), Message: clip.Text(c.Message, maxChangeText)}
		was, is := changedText(c.Old), changedText(c.New)
		if was != "" || is != "" {
			one.Old, one.New = was, is
		}
		if x := c.Counterexample; x != nil {
			one.Method, one.Target, one.Rejection = x.Method, x.Name, clip.Text(x.Rejection, maxChangeText)
			one.CallJSON = clip.Text(string(x.Arguments)+string(x.Result), maxChangeText)
		}
		out.Changes = append(out.Changes, one)
	}
	return out
}

// changedText is a text that changed; empty for other values, which the message has.
func changedText(raw json.RawMessage) string {
	text, _ := schema.Text(raw)
	return clip.Text(strings.TrimSpace(text), maxChangeText)
}
