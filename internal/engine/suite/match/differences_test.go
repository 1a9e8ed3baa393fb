package match

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestDescribe(t *testing.T) {
	long := make([]string, 200)
	for i := range long {
		long[i] = "line"
	}
	many, _ := json.Marshal(long)
	for _, row := range []struct{ name, got, want, text string }{
		{"a scalar", `1`, `2`, "got:  1\nwant: 2"},
		{"one of an object", `{"a":1,"b":2}`, `{"a":1,"b":3}`, "got:  2 at /b\nwant: 3"},
		{"several", `{"a":1,"b":2,"x":0}`, `{"a":2,"b":3,"y":[1]}`, "4 differences:\n/a: expected 2, got 1\n" +
			"/b: expected 3, got 2\n/x: expected nothing, got 0\n/y: expected [1], got nothing"},
		{"another type", `{"a":1}`, `[1]`, "got:  {\"a\":1}\nwant: [1]"},
		{"lines", `"a\nb\nc"`, `"a\nx\nc"`, "the text differs:\n--- expected\n+++ got\n@@ -1,3 +1,3 @@\n a\n-x\n+b\n c"},
		{"lines in an object", `{"t":"a\nb"}`, `{"t":"a\nc"}`,
			"at /t, the text differs:\n--- expected\n+++ got\n@@ -1,2 +1,2 @@\n a\n-c\n+b"},
		{"the end of a text", `"a\n"`, `"a"`, "got:  \"a\\n\"\nwant: \"a\""},
		{"many", string(many), `[]`, "… and 180 more"},
	} {
		got := describe(json.RawMessage(row.got), json.RawMessage(row.want), "").Error()
		if got != row.text && (row.name != "many" || !strings.HasSuffix(got, row.text)) {
			t.Errorf("%s: got\n%s\nwant\n%s", row.name, got, row.text)
		}
	}
}
