package conform

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

// TestOwnHistory runs HTTP-049 on servers that return the texts of a user: one stores them by session, one is used with the
// credentials of one user, and one says that it returns those of all users.
func TestOwnHistory(t *testing.T) {
	t.Parallel()
	global := remembersTexts(func(*exemplar.Call) string { return "" })
	for _, c := range []struct {
		name   string
		defect func(*exemplar.Server)
		header http.Header
		want   finding.Status
	}{
		{"by session", remembersTexts(func(c *exemplar.Call) string { return fmt.Sprintf("%p", c.Peer) }), nil, finding.Passed},
		{"one user", global, http.Header{"Authorization": {"Bearer right"}}, finding.Skipped},
		{"global", global, nil, finding.Failed},
	} {
		target := mutant{defect: c.defect}.target(t, "HTTP-049", OnHTTP)
		target.Header = c.header
		if got := onlyStatus(t, target, "HTTP-049"); got != c.want {
			t.Errorf("%s: got %s, expected %s", c.name, got, c.want)
		}
	}
}

func onlyStatus(t *testing.T, target wire.Target, rule string) finding.Status {
	t.Helper()
	out, err := judged(t, target, calm("2025-11-25", rule))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range out.Report.Results {
		if r.Rule == rule {
			return r.Status()
		}
	}
	return ""
}

func TestIsShared(t *testing.T) {
	for definition, want := range map[string]bool{
		`{"name":"recent_searches","description":"Returns the last five searches of the current user."}`: false,
		`{"name":"list_parts","description":"Lists the parts of the catalog."}`:                          false,
		`{"name":"trending_searches","description":"Returns the last searches."}`:                        true,
		`{"name":"recent","description":"Returns the last searches of all users."}`:                      true,
		`{"name":"get_logs","description":"Returns the last lines."}`:                                    true,
	} {
		tool := Tool{Definition: json.RawMessage(definition)}
		_ = json.Unmarshal(tool.Definition, &struct{ Name *string }{&tool.Name})
		if got := isShared(tool); got != want {
			t.Errorf("%s: shared is %v, expected %v", definition, got, want)
		}
	}
}
