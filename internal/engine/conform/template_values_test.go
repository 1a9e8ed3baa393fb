package conform

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

// bookNumbers are the books that a resource of the server lists.
const bookNumbers = `B-17\nB-23\nB-42`

// described adds a template of books with a description, and a resource that lists their numbers. read returns the URI of
// the contents of a listed book and their text, which is empty if there is no such resource.
func described(description string, read func(uri string) (string, string)) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		s.Wrap = func(next exemplar.Handler) exemplar.Handler {
			return func(c *exemplar.Call) []byte {
				uri := schema.TextAt(c.Params, "/uri")
				switch {
				case c.Method == "resources/templates/list" && c.Fault == nil:
					return edited(next(c), set("/result/resourceTemplates/0",
						`{"uriTemplate":"library://books/{number}","name":"book","description":`+description+`}`))
				case c.Method == "resources/list" && c.Fault == nil && At(c.Params, "/cursor") == nil:
					return edited(next(c), set("/result/resources/0", `{"uri":"library://numbers","name":"numbers"}`))
				case c.Method != "resources/read" || c.Fault != nil && !strings.HasPrefix(uri, "library://"):
					return next(c)
				case uri == "library://numbers":
					return cachedResult(c, `{"contents":[{"uri":"library://numbers","text":"`+bookNumbers+`"}]}`)
				case strings.HasPrefix(uri, "library://"):
					_, number, _ := strings.Cut(uri, "books/")
					shown, text := read(uri)
					if text == "" || !slices.Contains(strings.Split(bookNumbers, `\n`), number) {
						code := -32002
						if c.Revision >= "2026-07-28" {
							code = -32602
						}
						return c.Refuse(code, "Resource not found")
					}
					return cachedResult(c, fmt.Sprintf(`{"contents":[{"uri":%q,"text":%q}]}`, shown, text+" "+number))
				}
				return next(c)
			}
		}
	}
}

// TestReadableTemplates checks that nothing is found in templates of which a documented value can be read, whose examples
// nothing else confirms, and whose contents have an equivalent URI.
func TestReadableTemplates(t *testing.T) {
	t.Parallel()
	same := func(uri string) (string, string) { return uri, "a book" }
	none := func(uri string) (string, string) { return uri, "" }
	for name, defect := range map[string]func(*exemplar.Server){
		"readable":            described(`"A book, such as B-17 or B-23"`, same),
		"one of them":         described(`"A book, such as B-17, B-99 or B-98"`, same),
		"unconfirmed":         described(`"A book, such as A-1, A-2 or A-3"`, none),
		"one example":         described(`"A book, such as B-17"`, none),
		"none":                described(`"A book"`, none),
		"in upper case":       described(`"A book"`, func(uri string) (string, string) { return strings.ToUpper(uri), "a book" }),
		"percent-encoded":     described(`"A book"`, func(uri string) (string, string) { return strings.Replace(uri, "-", "%2D", 1), "a book" }),
		"a part of that book": described(`"A book"`, func(uri string) (string, string) { return uri + "/cover", "a book" }),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, err := judged(t, mutant{defect: defect}.target(t, "TMPL-011", OnPipe), calm("2025-11-25", "TMPL-011", "RES-009"))
			if err != nil {
				t.Fatal(err)
			}
			if found := out.Report.Findings(); len(found) > 0 {
				t.Errorf("expected nothing found, got\n%s", shown(found))
			}
		})
	}
}
