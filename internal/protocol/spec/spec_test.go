package spec

import (
	"encoding/json"
	"slices"
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

// TestProperties compares the other properties with the published schemas.
func TestProperties(t *testing.T) {
	for _, r := range Revisions() {
		published := publishedSchema(t, r.ID).has
		defines := func(name string) bool { return published[name] != nil }
		field := func(name, property string) bool {
			var shape struct {
				Properties map[string]json.RawMessage `json:"properties"`
			}
			_ = json.Unmarshal(published[name], &shape)
			return shape.Properties[property] != nil
		}
		required := func(name, property string) bool {
			var shape struct {
				Required []string `json:"required"`
			}
			_ = json.Unmarshal(published[name], &shape)
			return slices.Contains(shape.Required, property)
		}
		response := "JSONRPCErrorResponse"
		if !defines(response) {
			response = "JSONRPCError"
		}
		for name, c := range map[string]struct{ got, want bool }{
			"Era":             {r.Era == Legacy, defines("InitializeRequest")},
			"Audio":           {r.Audio, defines("AudioContent")},
			"Links":           {r.Links, defines("ResourceLink")},
			"Batches":         {r.Batches, defines("JSONRPCBatchRequest")},
			"Completions":     {r.Completions, field("ServerCapabilities", "completions")},
			"Elicitation":     {r.Elicitation != NoElicitation, defines("ElicitRequest")},
			"URL elicitation": {r.Elicitation == FormURLElicitation, defines("ElicitRequestURLParams")},
			"CoreTasks":       {r.CoreTasks, field("ServerCapabilities", "tasks")},
			"ErrorsWithoutID": {r.ErrorsWithoutID, !required(response, "id")},
		} {
			if c.got != c.want {
				t.Errorf("%s: %s = %v, expected %v", r.ID, name, c.got, c.want)
			}
		}
		// The schemas do not define transports.
		if r.StreamableHTTP != (r.ID >= March2025) || r.VersionHeader != (r.ID >= June2025) ||
			r.Titles != (r.ID >= June2025) ||
			r.OriginStatus != (r.ID >= November2025) || r.WellKnownAuth != (r.ID >= November2025) {
			t.Errorf("%s: wrong properties of transports or titles: %+v", r.ID, r)
		}
	}
}

// An unknown revision has the properties of the one before it.
func TestOf(t *testing.T) {
	for id, want := range map[string]string{
		"": November2024, Draft2024: November2024, November2024: November2024, "2025-04-01": March2025,
		June2025: June2025, "2026-07-27": November2025, July2026: July2026, "2030-01-01": July2026,
	} {
		known, _ := Find(want)
		got := Of(id)
		if got.ID != id {
			t.Errorf("Of(%q) has the ID %q", id, got.ID)
		}
		if got.ID = known.ID; got != known || EraOf(id) != known.Era {
			t.Errorf("Of(%q) = %+v, expected the properties of %s", id, got, want)
		}
	}
	if EraOf(NewestLegacy) != Legacy || EraOf(NewestModern) != Modern || Newest().ID != NewestModern {
		t.Error("the newest revisions are not those of their eras")
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
