package hosttools

import (
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// maxResultShown is the length of a result in text output.
const maxResultShown = 300

// write writes the run as text.
func (r *HostRun) write(t *workbench.Text) {
	network := "no network"
	if !r.Isolated {
		network = "not isolated from the network: " + r.NotIsolated
	}
	t.Line(t.Bold("%s", strings.TrimSpace(r.Name+" "+r.Version)) + t.Dim("  (%s, %.1f s, %s)", r.Host,
		r.Duration.Seconds(), network))
	if s := r.Session; s.Client != "" {
		t.Line(t.Dim("  client %s, requests %s", report.Line(s.Client), report.Line(strings.Join(s.Protocols, ", then "))))
	}
	if r.Bridged {
		t.Line(t.Dim("  the host used the server over stdio: mcptest passed its messages on to the URL"))
	}
	switch {
	case r.noModel:
		t.Line(t.Bad("  ✗ the host did not ask its model%s", r.ending()))
		r.output(t)
		return
	case r.Lost:
		t.Line(t.Bad("  ✗ none of %s reaches the model%s", workbench.Plural(r.Listed, "tool"), r.ending()))
	default:
		t.Line(fmt.Sprintf("  %d of %s reach the model", r.Listed-len(r.Missing), workbench.Plural(r.Listed, "tool")))
	}
	for i, name := range r.Missing {
		if i == maxProblems {
			t.Line(t.Bad("  ✗ %d more do not reach the model", len(r.Missing)-i))
			break
		}
		t.Line(t.Bad("  ✗ %s does not reach the model", report.Line(name)))
	}
	switch listed := r.Listed - r.Unread; {
	case r.Unread > 0 && r.Session.More:
		t.Line(t.Bad("  ✗ the host requested %d of %s: it does not read all pages of tools/list", listed,
			workbench.Plural(r.Listed, "tool")))
	case r.Unread > 0:
		t.Line(t.Dim("  the server listed %d of %s for this host: some may depend on the capabilities of the client", listed,
			workbench.Plural(r.Listed, "tool")))
	}
	r.writeCall(t)
	if len(r.Differs) == 0 {
		t.Line(t.Good("  as in the profile of %s %s, run on %s", r.Host, r.ProfileVersion, r.ProfileDate))
	}
	for i, d := range r.Differs {
		if i == maxProblems {
			t.Line(t.Dim("  ≠ %d more differences from the profile", len(r.Differs)-i))
			break
		}
		t.Line(t.Bad("  ≠ differs from the profile: %s", report.Line(d)))
	}
	if r.TimedOut || r.Exit != "" {
		t.Line(t.Bad("  the host did not finish%s", r.ending()))
		r.output(t)
	}
}

// writeCall writes the tool call of the model and its result.
func (r *HostRun) writeCall(t *workbench.Text) {
	switch {
	case r.Call == nil:
		t.Line(t.Dim("  no call: %s", r.noScript))
		return
	case len(r.Results) == 0:
		t.Line(t.Bad("  %s was not called", report.Line(r.Call.Tool)))
		return
	}
	t.Line("  " + report.Line(r.Call.Tool+" "+clip.Text(string(r.Call.Arguments), 100)) + " returns to the model: " +
		report.Line(clip.Text(r.Results[0].Text, maxResultShown)))
}

// ending returns how a host ended that did not finish.
func (r *HostRun) ending() string {
	switch {
	case r.TimedOut:
		return ": time limit reached"
	case r.Exit != "":
		return ": " + r.Exit
	}
	return ""
}

// output writes the last lines of the host.
func (r *HostRun) output(t *workbench.Text) {
	lines := strings.Split(strings.TrimSpace(r.Output), "\n")
	for _, line := range lines[max(0, len(lines)-5):] {
		t.Line(t.Dim("    %s", report.Line(clip.Text(line, 200))))
	}
}
