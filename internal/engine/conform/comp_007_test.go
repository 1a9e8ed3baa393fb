package conform

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

// cities adds a template with a country and a city; suggest returns the cities that are suggested for a country.
func cities(suggest func(country string) []string) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		const template = "station://{country}/{city}"
		s.Wrap = func(next exemplar.Handler) exemplar.Handler {
			return func(c *exemplar.Call) []byte {
				uri := schema.TextAt(c.Params, "/uri")
				switch {
				case c.Method == "resources/templates/list" && At(c.Params, "/cursor") == nil:
					return edited(next(c), set("/result/resourceTemplates/-", `{"uriTemplate":"`+template+`","name":"station"}`))
				case c.Method == "completion/complete" && schema.TextAt(c.Params, "/ref/uri") == template:
					values := []string{"france", "spain"}
					if schema.TextAt(c.Params, "/argument/name") == "city" {
						values = suggest(schema.TextAt(c.Params, "/context/arguments/country"))
					}
					var fit []string
					for _, v := range values {
						if strings.HasPrefix(v, schema.TextAt(c.Params, "/argument/value")) {
							fit = append(fit, fmt.Sprintf("%q", v))
						}
					}
					return succeed(c, `{"completion":{"values":[`+strings.Join(fit, ",")+`]}}`)
				case c.Method == "resources/read" && (uri == "station://france/lyon" || uri == "station://spain/bilbao"):
					known := *c
					known.Params = edited(c.Params, set("/uri", `"note://one"`))
					return edited(next(&known), set("/result/contents/0/uri", `"`+uri+`"`))
				}
				return next(c)
			}
		}
	}
}

// TestCompletionInContext checks which suggestions COMP-005 and COMP-007 report: those that belong to another value, and those that
// belong to none.
func TestCompletionInContext(t *testing.T) {
	t.Parallel()
	ofCountry := func(country string) []string {
		return map[string][]string{"france": {"lyon"}, "spain": {"bilbao"}, "": {"lyon", "bilbao"}}[country]
	}
	for name, c := range map[string]struct {
		suggest func(string) []string
		finds   string
	}{
		"by context":  {suggest: ofCountry},
		"nothing":     {suggest: func(string) []string { return nil }},
		"unknown":     {suggest: func(string) []string { return []string{"paris"} }}, // may be the values of other countries
		"in capitals": {func(country string) []string { return []string{strings.ToUpper(ofCountry(country)[0])} }, "COMP-005"},
		"all of them": {func(string) []string { return ofCountry("") }, "COMP-007"},
	} {
		for _, rule := range []string{"COMP-005", "COMP-007"} {
			out, err := judged(t, mutant{defect: cities(c.suggest)}.target(t, rule, OnPipe), calm("2025-11-25", rule))
			if err != nil {
				t.Fatal(err)
			}
			skipped := out.Report.Results[0].Skipped
			if found := out.Report.Findings(); len(found) > 0 != (c.finds == rule) ||
				(skipped != "") != (name == "nothing" && rule == "COMP-007") {
				t.Errorf("%s, %s: got %s%s", rule, name, shown(found), skipped)
			}
		}
	}
}
