package inspector

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestDuplicateNamesAreNamed(t *testing.T) {
	for args, want := range map[string]string{
		`{"a":1,"b":{"a":1}}`:         "",
		`{"a":1,"a":2}`:               "duplicate name a:",
		`{"a":[{"b":{"c":1,"c":1}}]}`: "a[0].b.c",
		`{"a":"` + "\xff" + `"}`:      "",
		`{"a":`:                       "",
	} {
		if got := duplicateName(json.RawMessage(args)); !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("duplicateName(%s) = %q, want %q in it", args, got, want)
		}
	}
}
