package workbench

import (
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
	"github.com/mcptest-dev/mcptest/internal/report"
)

// shownAnswer is how much of a response is shown with a failed step.
const shownAnswer = 4000

// WriteStep shows one step of the authorization flow. With full, it shows all headers and bodies, otherwise
// only those of a failed step.
func WriteStep(w io.Writer, s auth.Step, full bool) error {
	t := newText(w)
	t.line(t.mark(s) + " " + t.bold("%-35s", s.Title) + "  " + t.outcome(s))
	if s.Open != "" && s.State == auth.Waiting {
		t.line("    open this URL in a local browser:")
		t.line("    " + report.Visible(s.Open))
		return t.err
	}
	if s.Request != nil && s.Name != auth.Authorization {
		t.line(t.dim("    %s %s", s.Request.Method, s.Request.URL))
	}
	if full || s.State == auth.Failed {
		t.exchange(s)
	} else if s.Name == auth.Challenge && s.Answer != nil {
		for _, value := range s.Answer.Header.Values("Www-Authenticate") {
			t.line(t.dim("    WWW-Authenticate: %s", value))
		}
	}
	for _, note := range s.Notes {
		t.line("    note: " + report.Visible(note))
	}
	if s.Problem != "" {
		t.line("    " + t.bad("%s", s.Problem))
	}
	if s.Hint != "" {
		t.line("    hint: " + report.Visible(s.Hint.String()))
	}
	return t.err
}

func (t *text) mark(s auth.Step) string {
	switch s.State {
	case auth.OK:
		return t.good("✓")
	case auth.Failed:
		return t.bad("✗")
	case auth.Waiting:
		return "…"
	}
	return t.dim("–")
}

func (t *text) outcome(s auth.Step) string {
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
func (t *text) exchange(s auth.Step) {
	if s.Request != nil && s.Request.Body != "" {
		t.line("    > " + report.Visible(clip.Runes(s.Request.Body, shownAnswer)))
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
			t.line(t.dim("    < %s: %s", name, value))
		}
	}
	for line := range strings.Lines(strings.TrimRight(clip.Runes(s.Answer.Body, shownAnswer), "\n")) {
		t.line("    < " + report.Visible(strings.TrimRight(line, "\r\n")))
	}
}

// writeAuth shows the outcome; the steps were shown as they happened.
func writeAuth(out io.Writer, r *AuthResult) error {
	t := newText(out)
	switch {
	case !r.OK:
		t.line(t.bad("authorization failed at the step marked ✗"))
	case r.Token == nil:
		t.line(t.good("%s requires no token", r.Server))
	case r.Stored:
		t.token(r.Token)
		t.line(t.good("token stored; other commands use it for this server"))
	default:
		t.token(r.Token)
		t.line(t.good("the token works; it was not stored"))
	}
	return t.err
}
