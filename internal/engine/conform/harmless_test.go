package conform

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

// TestHarmlessResults runs checks of results on tools whose results are correct although they look similar to faulty ones.
func TestHarmlessResults(t *testing.T) {
	t.Parallel()
	zero := `"limit":{"type":"integer","minimum":0,"maximum":50%s}`
	fourForZero := func(a pageArguments) string {
		if a.Limit == 0 {
			a.Limit = 4
		}
		return itemsFrom(0, a.Limit)
	}
	cursor := `"cursor":{"type":["string","null"],"default":null}`
	for name, c := range map[string]struct {
		rule   string
		defect func(*exemplar.Server)
	}{
		"no items for 0": {"TOOL-038", pagedTool(fmt.Sprintf(zero, ""), func(a pageArguments) string { return itemsFrom(0, a.Limit) })},
		"0 for all": {"TOOL-038", pagedTool(fmt.Sprintf(zero, `,"description":"Number of parts, 0 for all"`),
			fourForZero)},
		"0 by default":         {"TOOL-038", pagedTool(fmt.Sprintf(zero, `,"default":0`), fourForZero)},
		"a minimum of a type":  {"TOOL-038", pagedTool(fmt.Sprintf(zero, `,"format":"uint32"`), fourForZero)},
		"a limit without rule": {"TOOL-038", pagedTool(`"limit":{"type":"integer"}`, fourForZero)},

		"cursors to the end": {"TOOL-054", pagedTool(cursor, func(a pageArguments) string {
			return strings.Replace(chained(a, func(from int) int { return from + 4 }), `"next_cursor":"12"`, `"next_cursor":null`, 1)
		})},
		"an empty page at the end, to poll": {"TOOL-054", pagedTool(cursor, func(a pageArguments) string {
			return chained(a, func(from int) int { return min(from+4, 11) })
		})},
		"the cursor of the page itself": {"TOOL-054", pagedTool(cursor, func(a pageArguments) string {
			return strings.Replace(itemsFrom(0, 4), "{", `{"cursor":"0",`, 1)
		})},
		"a value that says that it ends": {"TOOL-054", pagedTool(cursor, func(a pageArguments) string {
			return strings.Replace(chained(a, func(from int) int { return min(from+4, 8) }), "{",
				fmt.Sprintf(`{"has_more":%v,`, a.Cursor != "8"), 1)
		})},
		"an offset with a total": {"TOOL-054", pagedTool(`"offset":{"type":"integer","minimum":0}`, func(a pageArguments) string {
			return strings.Replace(itemsFrom(a.Offset, 4), "{", fmt.Sprintf(`{"next_offset":%d,`, min(a.Offset+4, 8)), 1)
		})},
		"one cursor, other items each time": {"TOOL-054", func(s *exemplar.Server) {
			var calls atomic.Int64
			pagedTool(cursor, func(pageArguments) string {
				return fmt.Sprintf(`{"parts":["part %d"],"next_cursor":"more"}`, calls.Add(1))
			})(s)
		}},

		"a list that is cut off": {"TOOL-054", partsTool("Lists at most 9 of the parts.", cursor, "", func(a pageArguments) string {
			from, _ := strconv.Atoi(a.Cursor)
			return strings.Replace(itemsFrom(from, 5), "{", `{"next_cursor":`+map[bool]string{true: `"9"`, false: "null"}[from == 0]+",", 1)
		})},

		"a total of 64 bits": {"TOOL-060", orders(func(n int64) int64 { return 4250 * n })},
		"a discount":         {"TOOL-060", orders(func(n int64) int64 { return 4250*n - max(0, n-1000)*250 })},
		"a limited total":    {"TOOL-060", orders(func(n int64) int64 { return min(4250*n, math.MaxInt32) })},

		"the total":         {"TOOL-057", searchTool("Finds parts.", func(a pageArguments) string { return itemsFrom(0, a.Limit) })},
		"as many as wanted": {"TOOL-057", pagedTool(`"limit":{"type":"integer","minimum":1}`, madeUp)},
		"few parts":         {"TOOL-057", searchTool("Finds parts.", func(a pageArguments) string { return countedFrom(9, a.Limit) })},
		"more are announced": {"TOOL-057", searchTool("Finds parts.", func(a pageArguments) string {
			return strings.Replace(countedFrom(0, a.Limit), "{", `{"has_more":true,`, 1)
		})},
		"returned by its description": {"TOOL-057", searchTool("Finds parts; total is the number of returned parts.",
			func(a pageArguments) string { return countedFrom(0, a.Limit) })},

		"local time with its offset": {"TOOL-058", clockTool(func(now time.Time) string { return now.Format(time.RFC3339) })},
		"the same time in UTC":       {"TOOL-058", clockTool(func(now time.Time) string { return now.UTC().Format(time.RFC3339) })},
		"sunrise in UTC": {"TOOL-058", clockTool(func(now time.Time) string {
			year, month, day := now.Date()
			return time.Date(year, month, day, 6, 12, 0, 0, now.Location()).UTC().Format(time.RFC3339)
		})},

		"a forecast for each hour in UTC": {"TOOL-058", clockTool(func(now time.Time) string {
			var all []string
			for hour := range 24 {
				all = append(all, now.UTC().Add(time.Duration(hour-12)*30*time.Minute).Format(time.RFC3339))
			}
			return strings.Join(all, " ")
		})},

		"a read-only database": {"TOOL-059", queryTool("Runs a query.", true, func(statement string) string {
			if strings.Contains(statement, "DELETE") {
				return "attempt to write a readonly database"
			}
			return executeSQL(statement)
		})},
		"rejected in a result": {"TOOL-059", queryTool("Runs a query.", true, func(statement string) string {
			if strings.Contains(statement, "DELETE ") {
				return `{"message":"Only SELECT statements are allowed"}`
			}
			return executeSQL(statement)
		})},
		"everything succeeds": {"TOOL-059", queryTool("Runs a query.", true, func(string) string { return `["orders"]` })},
		"words, not SQL":      {"TOOL-059", queryTool("Finds text.", true, func(string) string { return `["orders"]` })},
		"a transaction that is rolled back": {"TOOL-059",
			queryTool("Runs a query in a transaction that is rolled back.", true, executeSQL)},
		"a tool that may write": {"TOOL-059", queryTool("Runs a statement.", false, executeSQL)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, err := judged(t, mutant{defect: c.defect}.target(t, c.rule, OnPipe), calm("2025-11-25", c.rule))
			if err != nil {
				t.Fatal(err)
			}
			if got := shown(out.Report.Findings()); got != "" || out.Report.Results[0].Status() == finding.Failed {
				t.Errorf("expected nothing found, got %s", got)
			}
		})
	}
}

// madeUp returns as many items as requested.
func madeUp(a pageArguments) string {
	var all []string
	for n := range a.Limit {
		all = append(all, fmt.Sprint(n*n))
	}
	return fmt.Sprintf(`{"squares":[%s],"total":%d}`, strings.Join(all, ","), a.Limit)
}

// TestNoDeleteUnasked runs TOOL-059 on a tool that executes statements, without permission for disruptive checks.
func TestNoDeleteUnasked(t *testing.T) {
	t.Parallel()
	var deletes atomic.Int32
	target := mutant{defect: queryTool("Runs a query.", true, func(statement string) string {
		if strings.Contains(statement, "DELETE") {
			deletes.Add(1)
		}
		return executeSQL(statement)
	})}.target(t, "TOOL-059", OnPipe)
	options := calm("2025-11-25", "TOOL-059")
	options.AllowDisruptive = false
	out, err := judged(t, target, options)
	if err != nil {
		t.Fatal(err)
	}
	if found := out.Report.Findings(); len(found) > 0 || deletes.Load() > 0 {
		t.Errorf("%d DELETE sent, findings:\n%s", deletes.Load(), shown(found))
	}
}
