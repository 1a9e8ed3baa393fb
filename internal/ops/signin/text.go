package signin

import (
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// maxShownResponse is how much of a response is shown with a failed step.
const maxShownResponse = 4000

// WriteStep shows one step of the authorization flow. With full, it shows all headers and bodies, otherwise
// only those of a failed step.
func WriteStep(w io.Writer, s auth.Step, full bool) error {
	t := workbench.NewText(w)
	t.Line(mark(t, s) + " " + t.Bold("%-35s", s.Title) + "  " + outcome(t, s))
	if s.Open != "" && s.State == auth.Waiting {
		t.Line("    open this URL in a local browser:")
		t.Line("    " + report.Visible(s.Open))
		return t.Err
	}
	if s.Request != nil && s.Name != auth.Authorization {
		t.Line(t.Dim("    %s %s", s.Request.Method, s.Request.URL))
	}
	if s.State != auth.Absent {
		t.Line(t.Dim("    spec: %s", s.Clause.Title))
	}
	if full || s.State == auth.Failed {
		exchange(t, s)
	} else if s.Name == auth.Challenge && s.Answer != nil {
		for _, value := range s.Answer.Header.Values("Www-Authenticate") {
			t.Line(t.Dim("    WWW-Authenticate: %s", value))
		}
	}
	for _, note := range s.Notes {
		t.Line("    note: " + report.Visible(note))
	}
	if s.Problem != "" {
		t.Line("    " + t.Bad("%s", s.Problem))
		t.Line(t.Dim("    see %s", s.Clause.URL))
	}
	if s.Hint != "" {
		t.Line("    hint: " + report.Visible(s.Hint.String()))
	}
	return t.Err
}

func mark(t *workbench.Text, s auth.Step) string {
	switch s.State {
	case auth.OK:
		return t.Good("✓")
	case auth.Failed:
		return t.Bad("✗")
	case auth.Waiting:
		return "…"
	}
	return t.Dim("–")
}

func outcome(t *workbench.Text, s auth.Step) string {
	var parts []string
	if s.Answer != nil && s.State != auth.Absent {
		parts = append(parts, fmt.Sprintf("HTTP %d", s.Answer.Status))
	}
	if s.Result != "" {
		parts = append(parts, s.Result)
	}
	return report.Visible(strings.Join(parts, "  "))
}

// exchange shows a request and its response.
func exchange(t *workbench.Text, s auth.Step) {
	if s.Request != nil && s.Request.Body != "" {
		t.Line("    > " + report.Visible(clip.Runes(s.Request.Body, maxShownResponse)))
	}
	if s.Answer == nil {
		return
	}
	var names []string
	for name := range s.Answer.Header {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		for _, value := range s.Answer.Header[name] {
			t.Line(t.Dim("    < %s: %s", name, value))
		}
	}
	for line := range strings.Lines(strings.TrimRight(clip.Runes(s.Answer.Body, maxShownResponse), "\n")) {
		t.Line("    < " + report.Visible(strings.TrimRight(line, "\r\n")))
	}
}

// writeAuth shows the outcome; the steps were shown as they happened.
func writeAuth(out io.Writer, r *Result) error {
	t := workbench.NewText(out)
	switch {
	case r.As != nil:
		writePrediction(t, r.As)
	case len(r.Tried) > 0 && r.OK:
		token(t, r.Token)
		t.Line(t.Good("tried: %s", strings.Join(r.Tried, ", ")))
	case !r.OK:
		t.Line(t.Bad("authorization failed at the step marked ✗"))
	case r.Token == nil:
		t.Line(t.Good("%s requires no token", r.Server))
	case r.Stored:
		token(t, r.Token)
		t.Line(t.Good("token stored; other commands use it for this server"))
	default:
		token(t, r.Token)
		t.Line(t.Good("the token works; it was not stored"))
	}
	return t.Err
}
