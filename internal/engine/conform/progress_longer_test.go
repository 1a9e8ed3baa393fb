package conform

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

// planned adds a tool that reports progress for each day, as many as an argument says.
func planned(progress func(i, days int) int) func(*exemplar.Server) {
	add := extraTools(`{"name":"plan","description":"Plans some days.","inputSchema":{"type":"object","properties":{"days":`+
		`{"type":"integer","minimum":1,"maximum":7}},"required":["days"],"additionalProperties":false},`+
		`"annotations":{"readOnlyHint":true}}`, func(string, json.RawMessage) string { return `["planned"]` })
	return func(s *exemplar.Server) {
		add(s)
		inner := s.Wrap
		s.Wrap = func(next exemplar.Handler) exemplar.Handler {
			next = inner(next)
			return func(c *exemplar.Call) []byte {
				token := At(c.Params, "/_meta/progressToken")
				if days, err := strconv.Atoi(string(At(c.Params, "/arguments/days"))); err == nil && token != nil &&
					schema.TextAt(c.Params, "/name") == "plan" {
					for i := range min(days, 7) {
						c.Send(fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/progress",`+
							`"params":{"progressToken":%s,"progress":%d}}`, token, progress(i, days)))
					}
				}
				return next(c)
			}
		}
	}
}

// TestSteadyProgress checks that PROG-002 finds nothing if progress increases.
func TestSteadyProgress(t *testing.T) {
	t.Parallel()
	for name, progress := range map[string]func(i, days int) int{
		"increases": func(i, _ int) int { return i + 1 }, "from zero": func(i, _ int) int { return 10 * i },
	} {
		out, err := judged(t, mutant{defect: planned(progress)}.target(t, "PROG-002", OnPipe), calm("2025-11-25", "PROG-002"))
		if err != nil {
			t.Fatal(err)
		}
		if found := out.Report.Findings(); len(found) > 0 {
			t.Errorf("%s: %s", name, shown(found))
		}
	}
}

func TestLongerArguments(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ properties, arguments, want string }{
		{`"days":{"type":"integer","maximum":7}`, `{"days":1}`, `{"days":3}`},
		{`"days":{"type":"integer","maximum":2}`, `{"days":1}`, ``},
		{`"days":{"type":"integer"}`, `{"days":10}`, ``},
		{`"all":{"type":"array","items":{"type":"string"}},"n":{"type":"number"}`, `{"n":0,"all":["a"]}`,
			`{"n":0,"all":["a","a","a"]} {"n":3,"all":["a"]}`},
		{`"all":{"type":"array","uniqueItems":true}`, `{"all":["a"]}`, ``},
		{`"name":{"type":"string"},"deep":{"type":"boolean"}`, `{"name":"a","deep":true}`, ``},
	} {
		tool := Tool{Definition: json.RawMessage(`{"inputSchema":{"type":"object","properties":{` + c.properties + `}}}`),
			Arguments: json.RawMessage(c.arguments)}
		var got []string
		for _, raw := range longerArguments(tool) {
			got = append(got, string(raw))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %s, expected %s", c.arguments, got, c.want)
		}
	}
}
