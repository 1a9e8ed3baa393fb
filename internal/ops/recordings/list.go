package recordings

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/tap"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A TapSessions is the list of recordings.
type TapSessions struct {
	Dir      string        `json:"dir"`
	Sessions []tap.Session `json:"sessions"`
}

// TapList lists the recordings of tap.
var TapList = workbench.Op[struct{}, *TapSessions]{
	Name: "tap list",
	Doc: "List recorded sessions\n\n" +
		"The latest session is first. Sessions are deleted after 30 days, and the oldest ones if all together are " +
		"larger\n" +
		"than 1 GiB.",
	Example: "mcptest tap list",
	Run: func(_ context.Context, w *workbench.Workbench, _ *struct{}) (*TapSessions, error) {
		out := &TapSessions{Dir: TapDir(w.System)}
		all, err := tap.List(out.Dir)
		out.Sessions = append([]tap.Session{}, all...)
		return out, err
	},
	Text: writeTapList,
}

func writeTapList(out io.Writer, r *TapSessions) error {
	t := workbench.NewText(out)
	if len(r.Sessions) == 0 {
		t.Line("no recordings in " + r.Dir)
		t.Line("To record a session, put \"mcptest tap --\" before the command of a server in the config of a client.")
		return t.Err
	}
	for _, s := range r.Sessions {
		t.Line(fmt.Sprintf("%s  %s  %s", s.ID, s.Started.Local().Format("2006-01-02 15:04:05"),
			report.Line(ServerName(&s))))
		t.Line(fmt.Sprintf("  client %s, %s, %s: %s", report.Line(ClientName(&s)), workbench.Plural(s.Frames, "frame"),
			workbench.Size(int(s.Bytes)), report.Line(Outcome(&s))))
	}
	return t.Err
}

// maxShownName is the maximum length of a name or a command: a recording may be from anybody.
const maxShownName = 300

// ServerName returns the name of the server of a session.
func ServerName(s *tap.Session) string {
	name := s.Name
	if name == "" && s.Server != nil {
		name = strings.TrimSpace(s.Server.Name + " " + s.Server.Version)
	}
	how := s.URL
	if len(s.Command) > 0 {
		how = strings.Join(s.Command, " ")
	}
	how = clip.Text(how, maxShownName)
	if name == "" {
		return how
	}
	return clip.Text(name, maxShownName) + " (" + how + ")"
}

// ClientName returns the names of the clients of a session; without a handshake, the process that started it.
func ClientName(s *tap.Session) string {
	var names []string
	for _, c := range s.Clients {
		names = append(names, clip.Text(strings.TrimSpace(c.Name+" "+c.Version), maxShownName))
	}
	switch {
	case len(names) > 0:
		return strings.Join(names, ", ")
	case s.Parent != nil && s.Parent.Name != "" && s.URL == "":
		return "unknown (process " + s.Parent.Name + ")"
	}
	return "unknown"
}

// Outcome returns how a session ended.
func Outcome(s *tap.Session) string {
	var parts []string
	switch {
	case s.Running():
		parts = append(parts, "running")
	case s.Ended == nil:
		parts = append(parts, "tap was killed")
	case s.Exit != nil && s.Exit.Signal != "":
		parts = append(parts, "server ended by signal: "+clip.Text(s.Exit.Signal, maxShownName))
	case s.Exit != nil:
		parts = append(parts, fmt.Sprintf("server exited with status %d", s.Exit.Code))
	default:
		parts = append(parts, "ended")
	}
	if s.Errors > 0 {
		parts = append(parts, workbench.Plural(s.Errors, "error"))
	}
	if s.Pending > 0 && !s.Running() {
		parts = append(parts, workbench.Plural(s.Pending, "request")+" without a response")
	}
	if s.Lost != nil {
		parts = append(parts, "incomplete: "+clip.Text(s.Lost.Reason, maxShownName))
	}
	return strings.Join(parts, ", ")
}
