package suite

import (
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
)

// expectedFailure is how the skip reason of a test with xfail begins that failed.
const expectedFailure = "expected failure: "

// maxReason is the maximum length of the failure in the result of a test with xfail.
const maxReason = 160

// expectFailure reverses the result of a test that is expected to fail. A test that could not be finished stays so: it
// shows nothing about the defect.
func (r *run) expectFailure(t *Test, result *finding.Result) {
	switch result.Status() {
	case finding.Failed:
		first, _, _ := strings.Cut(result.Findings[0].Message, "\n")
		result.Skipped = fmt.Sprintf("%s%s (%s)", expectedFailure, t.XFail, clip.Sized(first, maxReason))
		result.Findings = nil
	case finding.Passed:
		result.Findings = []finding.Finding{{Rule: "suite/xfail", Severity: finding.Error,
			Message: fmt.Sprintf("expected a failure (%s), but the test passed: remove xfail", t.XFail),
			Where:   finding.Location{Subject: t.ID, File: t.File, Line: t.Line}, Reproduce: r.reproduce(t)}}
	}
}
