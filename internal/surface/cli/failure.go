package cli

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/report"
)

// A failureDocument is the output of --json if a server cannot be used and there is no result.
type failureDocument struct {
	Error struct {
		Message string `json:"message"`
		Hint    string `json:"hint,omitempty"`
		Stderr  string `json:"stderr,omitempty"` // the last stderr output of the process
	} `json:"error"`
}

// writeFailure writes a valid document to stdout in the requested format, if nothing was written there: so a
// program that reads it also gets the reason.
func (a *app) writeFailure(err error) {
	if a.command == nil || a.out.wrote() {
		return
	}
	format, isReport := a.reportFormat()
	switch {
	case isReport && format != "" && format != "text":
		_ = report.Write(a.out, format, a.failedReport(err), nil)
	case a.view.json:
		var doc failureDocument
		doc.Error.Message, doc.Error.Hint = a.message(err), a.secrets.Exact(a.hint(err))
		var e *wire.Error
		if errors.As(err, &e) {
			doc.Error.Stderr = a.scrub(strings.TrimSpace(wire.Plain(e.Stderr)))
		}
		_ = json.NewEncoder(a.out).Encode(doc)
	}
}

// reportFormat returns the format in which a command writes its report to stdout; false if it writes none. A run of
// suites always has a report: a server that cannot be used breaks its tests.
func (a *app) reportFormat() (format string, isReport bool) {
	flags := a.command.Flags()
	flag := flags.Lookup("format")
	if flag == nil {
		return "", false
	}
	if format = flag.Value.String(); format == "" && a.view.json {
		format = "json"
	}
	return format, true
}

// failedReport returns the report of a run that could not start.
func (a *app) failedReport(err error) *finding.Report {
	target := ""
	var e *wire.Error
	if errors.As(err, &e) {
		target = a.scrub(e.Target)
	}
	return &finding.Report{Engine: a.command.Name(), Target: target, Version: Version(), Started: time.Now(),
		Rules:   []finding.Rule{},
		Results: []finding.Result{{Name: "connect", Broken: a.message(err)}}}
}
