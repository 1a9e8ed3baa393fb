package conform

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// TestCorrectPages checks that TOOL-054 finds nothing in lists with correct pages.
func TestCorrectPages(t *testing.T) {
	t.Parallel()
	sized := `"limit":{"type":"integer","minimum":1,"maximum":50}`
	for name, one := range map[string]struct {
		properties string
		work       func(pageArguments) string
	}{
		"from 1": {`"page":{"type":"integer","minimum":1},` + sized, func(a pageArguments) string {
			return itemsFrom((a.Page-1)*a.Limit, a.Limit)
		}},
		"from 0": {`"page":{"type":"integer"},` + sized, func(a pageArguments) string {
			return itemsFrom(a.Page*a.Limit, a.Limit)
		}},
		"from 1, with 0 for the first": {`"page":{"type":"integer"},` + sized, func(a pageArguments) string {
			return itemsFrom((max(1, a.Page)-1)*a.Limit, a.Limit)
		}},
		"offset": {`"offset":{"type":"integer","minimum":0},` + sized, func(a pageArguments) string {
			return itemsFrom(a.Offset, a.Limit)
		}},
		"offset of lines from 1": {`"offset":{"type":"integer","minimum":0},` + sized, func(a pageArguments) string {
			return itemsFrom(max(0, a.Offset-1), a.Limit)
		}},
		"positions on the page": {`"page":{"type":"integer","minimum":1},` + sized, func(a pageArguments) string {
			text := itemsFrom((a.Page-1)*a.Limit, a.Limit)
			for n := range a.Limit {
				text = strings.Replace(text, `{"id"`, fmt.Sprintf(`{"position":%d,"number"`, n), 1)
			}
			return text
		}},
		"a limit of all pages": {`"page":{"type":"integer","minimum":1},` + sized, func(a pageArguments) string {
			if a.Page > 1 {
				return itemsFrom(0, 0)
			}
			return itemsFrom(0, a.Limit)
		}},
		"cursor with short pages": {`"cursor":{"type":"string"},` + sized, func(a pageArguments) string {
			from, err := strconv.Atoi(a.Cursor)
			count := a.Limit
			if err == nil && from > 0 {
				count = 1
			}
			return strings.Replace(itemsFrom(from, count), "{", `{"next_cursor":"`+strconv.Itoa(from+count)+`",`, 1)
		}},
		"short": {`"page":{"type":"integer","minimum":1},` + sized, func(a pageArguments) string {
			return `{"parts":[1,2]}`
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := mutant{defect: pagedTool(one.properties, one.work)}
			out, err := judged(t, m.target(t, "TOOL-054", OnPipe), calm("2025-11-25", "TOOL-054"))
			if err != nil {
				t.Fatal(err)
			}
			if got := shown(out.Report.Findings()); got != "" || out.Report.Results[0].Skipped != "" {
				t.Errorf("expected nothing found, got %s%s", got, out.Report.Results[0].Skipped)
			}
		})
	}
}
