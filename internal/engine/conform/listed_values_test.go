package conform

import (
	"encoding/json"
	"testing"
)

func TestNounOf(t *testing.T) {
	for list, get := range map[string]string{"list_projects": "get_project", "listBoxes": "getBox",
		"list-categories": "describe-category", "list_all_classes": "read_class_details", "list_status": "get_status_by_id"} {
		if a, b := nounOf(list, listVerbs()), nounOf(get, getVerbs()); a == "" || a != b {
			t.Errorf("%s lists %q, and %s returns %q; expected the same", list, a, get, b)
		}
	}
	for list, get := range map[string]string{"list_projects": "get_project_members", "listen": "get_en",
		"list_users": "delete_user"} {
		if a, b := nounOf(list, listVerbs()), nounOf(get, getVerbs()); a == b {
			t.Errorf("%s and %s are both about %q; expected different nouns", list, get, a)
		}
	}
}

// Only members that are the argument by their name are its values.
func TestListedValues(t *testing.T) {
	for _, c := range []struct {
		result, argument string
		want             int
	}{
		{`{"structuredContent":{"projects":[{"name":"a"},{"name":"b"},{"name":"a"}]}}`, "name", 2},
		{`{"structuredContent":{"projects":[{"id":"a"},{"id":"b"}]}}`, "projectId", 2},
		{`{"structuredContent":{"projects":[{"project_id":"a"},{"project_id":"b"}]}}`, "id", 2},
		{`{"structuredContent":{"projects":["a","b"]}}`, "name", 2},
		{`{"content":[{"type":"text","text":"[{\"name\":\"a\"}]"}]}`, "name", 1},
		{`{"structuredContent":{"projects":[{"title":"a"},{"title":"b"}]}}`, "name", 0},
		{`{"structuredContent":{"projects":[{"id":1},{"id":2}]}}`, "id", 0},
		{`{"content":[{"type":"text","text":"a, b"}]}`, "name", 0},
	} {
		if got := listedValues(json.RawMessage(c.result), c.argument, "project"); len(got) != c.want {
			t.Errorf("%s of %s: got %s, expected %d values", c.argument, c.result, got, c.want)
		}
	}
}

func TestReadableTime(t *testing.T) {
	for text, want := range map[string]bool{"2026-11-20 07:15:00Z": true, "2026-11-20T07:15:00+01:00": true,
		"2026-11-20 07:15": false, "2026-11-20T07:15:00": false, "soon": false} {
		if got := readableTime(text); got != want {
			t.Errorf("readableTime(%q) = %v, expected %v", text, got, want)
		}
	}
}
