package fuzz

import (
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
)

var noiseProperty = &Property{finding.Rule{ID: "FUZZ-016", Severity: finding.Error,
	Doc: `call writes other output to stdout

While the call was in progress, the server wrote a line to stdout that is not a message: a print or console.log in the
tool, or in a library that it uses. Strict clients close the connection, others log an error for each line. Write logs to
stderr.`}, writesMessagesOnly}

func writesMessagesOnly(s *observation) *violation {
	if s.noise == "" {
		return nil
	}
	return &violation{cause: "noise", message: "stdout: expected messages only, got the line " +
		strconv.Quote(clip.Text(s.noise, maxDisplayed))}
}

// noiseSince returns the last line that the server wrote to stdout beside messages since it had written some; empty if
// there is none.
func (r *runner) noiseSince(lines int) string {
	if now, last := r.session.Unusable(); now > lines {
		return last
	}
	return ""
}
