package conform

import (
	"bytes"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

// LEAK-001 warns of a secret in the result of a tool that says that it returns harmless examples, and reports any other as an error.
func TestSpecimensOfSecrets(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		description string
		inErrors    bool
		want        finding.Severity
	}{
		"a specimen":              {"Returns one specimen, which is harmless.", false, finding.Warning},
		"an error of such a tool": {"Returns one specimen, which is harmless.", true, finding.Error},
		"a blood specimen":        {"Returns a blood specimen.", false, finding.Error},
	} {
		defect := both(answer("tools/list", func(_ *exemplar.Call, r []byte) []byte {
			return bytes.Replace(r, []byte("Returns the text."), []byte(c.description), 1)
		}), callsOf("echo", set("/result/content/0/text", `"postgres://admin:hunter2@db.internal:5432/app"`)))
		if !c.inErrors {
			changed := defect
			defect = func(s *exemplar.Server) {
				changed(s)
				inner := s.Wrap
				s.Wrap = func(next exemplar.Handler) exemplar.Handler {
					wrapped := inner(next)
					return func(call *exemplar.Call) []byte {
						if r := next(call); calls.IsError(At(r, "/result")) {
							return r
						}
						return wrapped(call)
					}
				}
			}
		}
		out, err := judged(t, mutant{defect: defect}.target(t, "LEAK-001", OnPipe), calm("2025-11-25", "LEAK-001"))
		if err != nil {
			t.Fatal(err)
		}
		found := out.Report.Findings()
		if len(found) == 0 || found[0].Severity != c.want {
			t.Errorf("%s: got %s, expected severity %s", name, shown(found), c.want)
		}
	}
}
