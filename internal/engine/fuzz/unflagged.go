package fuzz

import (
	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/exposure"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

var unflaggedProperty = &Property{finding.Rule{ID: "FUZZ-021", Severity: finding.Warning,
	Doc: `failed call has no isError

The text of the result says that the call failed ("Error: …", an exception, or JSON with "error" and "success": false),
and isError is not set. Clients and models treat it as data: the failure is not counted, retried or shown as a failure.
Set isError, or raise the exception and let the SDK do it. Other JSON is data, whatever its texts say, and so are the results
of tools whose names say that they are about errors or logs.`}, flagsFailures}

// flagsFailures holds unless a result without isError is the report of a failure.
func flagsFailures(s *observation) *violation {
	if !accepted(s) {
		return nil
	}
	found := exposure.FindFailure(s.errorText()) // first, because few results are one
	if found == "" || s.sent(found) || exposure.AboutFailures(s.Case.Tool) || exposure.RequestsFailure(s.Case.Arguments, found) {
		return nil // what it returns may be the requested data
	}
	if _, ok := schema.Get(s.parts().data, "/error"); ok && s.output != nil {
		return nil // the output schema describes failures
	}
	return &violation{cause: "unflagged", message: "result is a failure without isError: expected isError true, got " +
		clip.Sized(found, maxDisplayed)}
}
