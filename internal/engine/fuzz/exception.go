package fuzz

import (
	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/exposure"
	"github.com/mcptest-dev/mcptest/internal/finding"
)

// raisesNothing is satisfied unless a call that the schema allows fails with an exception that a framework wrapped into
// a result with isError.
func raisesNothing(s *observation) *violation {
	if !s.Case.Allowed || s.Exchange == nil || s.Exchange.Reply == nil || s.Exchange.Reply.Error != nil ||
		!s.parts().failed {
		return nil
	}
	found, ok := exposure.FindException(errorText(s.Exchange.Reply))
	if !ok || s.sent(found.Found) {
		return nil
	}
	b := &violation{cause: found.Language + " " + found.Name,
		message: "a valid call failed with an exception (" + found.Language + " " + found.Name + "): " +
			clip.Sized(errorText(s.Exchange.Reply), maxDisplayed)}
	if !found.Sure {
		b.severity = finding.Warning
	}
	return b
}
