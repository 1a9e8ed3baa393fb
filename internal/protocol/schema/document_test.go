package schema

import (
	"strings"
	"testing"
)

func TestDocumentFor(t *testing.T) {
	for argument, want := range map[[2]string]string{
		{"text", "CSV text with a header line"}: "name,city",
		{"source", "The HTML to convert"}:       "<h1>",
		{"text", "Text to look at"}:             "Ada Lovelace",
		{"json_text", ""}:                       `{"people"`,
		{"query", "Words to search for"}:        "",
		{"context", "Context of the call"}:      "",
	} {
		if got := DocumentFor(argument[0], argument[1]); !strings.HasPrefix(got, want) || (got == "") != (want == "") {
			t.Errorf("%s: got %q, expected %q", argument, got, want)
		}
	}
}
