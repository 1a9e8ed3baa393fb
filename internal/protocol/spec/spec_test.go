package spec

import (
	"encoding/json"
	"testing"
)

func TestFind(t *testing.T) {
	for _, id := range IDs() {
		if r, ok := Find(id); !ok || r.ID != id {
			t.Errorf("Find(%q) = %q, %v", id, r.ID, ok)
		}
	}
	if _, ok := Find("2025-01-01"); ok {
		t.Error("Find accepts a revision that never was")
	}
}

func TestRevisionsAscend(t *testing.T) {
	ids := IDs()
	for i := 1; i < len(ids); i++ {
		older, _ := Find(ids[i-1])
		if !older.Before(ids[i]) {
			t.Errorf("%s stands before %s but is not older", ids[i-1], ids[i])
		}
	}
	if got := Newest().ID; got != ids[len(ids)-1] {
		t.Errorf("Newest() = %s, want %s", got, ids[len(ids)-1])
	}
}

// TestToolFields compares the table with the published schemas.
func TestToolFields(t *testing.T) {
	for _, r := range Revisions() {
		fields := publishedToolFields(t, r.ID)
		for name, got := range map[string]bool{
			"annotations": r.Tool.Annotations, "title": r.Tool.Title, "_meta": r.Tool.Title,
			"outputSchema": r.Tool.OutputSchema != NoOutput, "icons": r.Tool.Icons, "execution": r.Tool.Execution,
		} {
			if _, want := fields[name]; got != want {
				t.Errorf("%s: tool has %s = %v, want %v", r.ID, name, got, want)
			}
		}
	}
}

func publishedToolFields(t *testing.T, id string) map[string]json.RawMessage {
	t.Helper()
	var tool struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if err := json.Unmarshal(publishedSchema(t, id).has["Tool"], &tool); err != nil {
		t.Fatal(err)
	}
	return tool.Properties
}
