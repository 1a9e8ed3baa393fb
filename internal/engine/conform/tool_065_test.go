package conform

import (
	"encoding/json"
	"testing"
)

// TestFilteredTotals checks that TOOL-065 finds nothing where the total is that of the filter, or of all items by its description.
func TestFilteredTotals(t *testing.T) {
	t.Parallel()
	for name, tool := range map[string]struct {
		definition string
		total      int
	}{
		"of the filter": {ordersTool, 0},
		"of all":        {ordersTool[:len(`{"name":"list_orders","description":"Lists the orders`)] + ", with the total of the whole catalog" + ordersTool[len(`{"name":"list_orders","description":"Lists the orders`):], 30},
	} {
		m := mutant{defect: extraTools(tool.definition, func(_ string, a json.RawMessage) string { return filteredOrders(a, tool.total) })}
		out, err := judged(t, m.target(t, "TOOL-065", OnPipe), calm("2025-11-25", "TOOL-065"))
		if err != nil {
			t.Fatal(err)
		}
		if found := out.Report.Findings(); len(found) > 0 || out.Report.Results[0].Skipped != "" {
			t.Errorf("%s: got %s%s", name, shown(found), out.Report.Results[0].Skipped)
		}
	}
}
