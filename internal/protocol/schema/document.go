package schema

import (
	"strings"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
)

// documents are small texts in the formats that descriptions of arguments name, from the most specific name on.
var documents = []struct{ name, text string }{
	{"csv", "name,city,count\nAda,London,3\nBob,Oslo,12\n"},
	{"tsv", "name\tcity\tcount\nAda\tLondon\t3\nBob\tOslo\t12\n"},
	{"xml", `<people><person id="1">Ada</person><person id="2">Bob</person></people>`},
	{"html", `<h1>People</h1><p>Ada and <a href="https://example.com/bob">Bob</a></p>`},
	{"markdown", "# People\n\n- Ada, see [her page](https://example.com/ada)\n- Bob\n"},
	{"yaml", "people:\n  - name: Ada\n    count: 3\n"},
	{"toml", "[ada]\ncity = \"London\"\ncount = 3\n"},
	{"json", `{"people":[{"name":"Ada","count":3},{"name":"Bob","count":12}]}`},
	{"text", "Ada Lovelace wrote 3 letters to bob@example.com on 2024-05-01, see https://example.com/ada #first @second (42.5 %)."},
}

var documentWords = lazyregexp.New(`[a-z]+`)

// DocumentFor returns a text with something in it, of the kind that the name and the description of an argument call for;
// empty if they call for none. Generated samples are a single word, in which a tool that reads texts finds nothing.
func DocumentFor(name, description string) string {
	words := documentWords().FindAllString(strings.ToLower(name+" "+description), -1)
	has := map[string]bool{}
	for _, word := range words {
		has[word] = true
	}
	for _, d := range documents {
		if has[d.name] {
			return d.text
		}
	}
	return ""
}
