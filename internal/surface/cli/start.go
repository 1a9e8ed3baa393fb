package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/demo"
	"github.com/mcptest-dev/mcptest/internal/ops/signin"
	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// workbench prepares the environment of an operation, and returns the cleanup function.
func (a *app) workbench() (*workbench.Workbench, func() error, error) {
	answers, err := a.answers()
	if err != nil {
		return nil, nil, err
	}
	log, closeLog, err := a.transcript()
	if err != nil {
		return nil, nil, err
	}
	a.progress = a.newProgress()
	w := &workbench.Workbench{
		Version: Version(), System: a.env.System, Builtins: builtins(), Supervisor: a.env.Supervisor,
		Grants:  workbench.CommandLine,
		Secrets: a.secrets,
		Tokens:  auth.NewStore(workbench.TokenDir(a.env.System)), Reveal: a.view.noRedact, Browse: a.browse,
		In: a.env.Stdin, Out: a.env.Stdout, Err: a.env.Stderr,
		Log:    log,
		Client: mcp.Options{Roots: answers.roots, Sampling: answers.sampling, Elicitation: answers.elicitation},
		Notify: a.listener(a.progress),
		Page:   a.servePage,
	}
	if a.interactive() {
		w.Ask = a.promptArguments
	}
	if terminal(a.env.Stdin) && terminal(a.env.Stdout) {
		w.Screen = &workbench.Screen{Gateway: a.showGateway, OwnsErr: terminal(a.env.Stderr)}
		if !a.view.json && a.env.Getenv("TERM") != "dumb" {
			w.Screen.Recording = a.showRecording
		}
	}
	return w, func() error { a.progress.clear(); return closeLog() }, nil
}

// builtins returns the built-in servers.
func builtins() target.Builtins {
	all := target.Builtins{}
	for _, s := range demo.All() {
		all[s.Name] = s.Serve
	}
	return all
}

// transcript opens the frame log that the options request.
func (a *app) transcript() (*wire.Transcript, func() error, error) {
	opts := &wire.TranscriptOptions{Redact: a.secrets.Header}
	if a.view.noRedact {
		opts.Redact = nil
	}
	if a.view.trace || a.view.transcript != "" {
		opts.Stderr = func(line string) string { return a.scrub(wire.Plain(line)) }
	}
	if a.view.trace {
		opts.OnFrame = a.newTracer().frame
	}
	if a.view.transcript == "" {
		return wire.NewTranscript(opts), func() error { return nil }, nil
	}
	file, err := os.OpenFile(a.view.transcript, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, nil, &workbench.UsageError{Message: "--transcript: " + err.Error()}
	}
	opts.Out = file
	log := wire.NewTranscript(opts)
	return log, func() error {
		if err := log.Err(); err != nil {
			_ = file.Close()
			return err
		}
		return file.Close()
	}, nil
}

// maxNotices is how many protocol violations are shown in full.
const maxNotices = 10

// listener shows events on stderr, so that results can be piped.
func (a *app) listener(p *progress) func(workbench.Event) {
	notices := 0
	return func(e workbench.Event) {
		switch {
		case e.Progress != nil:
			p.show(*e.Progress)
		case e.Step != nil:
			p.step(*e.Step)
		case e.Waiting != "":
			p.say(a.scrub(e.Waiting))
		case e.Over:
			p.clear()
		case e.Line != "":
			if p.w == nil { // otherwise the bar shows it
				a.say(report.Visible(a.scrub(e.Line)))
			}
		case e.Update != nil:
			p.clear()
			a.showUpdate(e.Update)
		case e.Auth != nil:
			p.clear()
			a.showStep(e.Auth)
		case e.Log != nil:
			p.clear()
			a.showLog(e.Log)
		case e.Notice != "":
			p.clear()
			if notices++; notices <= maxNotices || a.view.trace {
				a.say("note: " + report.Visible(a.scrub(e.Notice)))
			} else if notices == maxNotices+1 {
				a.say("note: further notices suppressed; use --trace to see all of them")
			}
		case e.Chosen != "" && a.view.trace:
			a.say("· " + report.Visible(e.Chosen))
		}
	}
}

// showUpdate writes a requested notification to stdout.
func (a *app) showUpdate(m *mcp.Message) {
	if a.view.json {
		_, _ = a.out.Write(append(m.Frame.Body, '\n'))
		return
	}
	fmt.Fprintf(a.out, "%s %s %s\n", m.Frame.Time.Format("15:04:05.000"), report.Visible(m.Method),
		report.Visible(string(m.Params)))
}

// showStep shows an authorization step. With --json the result contains all of them; the user must still see
// the URL.
func (a *app) showStep(s *auth.Step) {
	switch {
	case !a.view.json:
		_ = signin.WriteStep(a.screen(), *s, a.view.trace)
	case s.State == auth.Waiting:
		fmt.Fprintf(a.note(), "Open this URL in a local browser:\n%s\n", report.Visible(s.Open))
	}
}

// showLog writes a server's log message to stderr: its level, logger and data.
func (a *app) showLog(m *mcp.Message) {
	who := "log " + stringAt(m.Params, "/level")
	if logger := stringAt(m.Params, "/logger"); logger != "" {
		who += " [" + logger + "]"
	}
	data, _ := schema.Get(m.Params, "/data")
	said, isText := schema.Text(data)
	if !isText {
		said = string(data)
	}
	fmt.Fprintf(a.note(), "%s: %s\n", report.Visible(who), report.Visible(a.scrub(said)))
}

// note returns the writer for notes.
func (a *app) note() io.Writer { return a.env.Stderr }

// say writes a note, wrapped on a terminal.
func (a *app) say(text string) {
	fmt.Fprintln(a.note(), report.Hang(text, a.env.columns(a.env.Stderr)))
}

// sayHint writes a hint. A command that is longer than a line can still be copied.
func (a *app) sayHint(hint string) {
	if command, ok := strings.CutPrefix(hint, "run: mcptest "); ok && !strings.ContainsAny(command, "\n;") {
		fmt.Fprintln(a.note(), report.Command("hint: run: ", "mcptest "+command, a.env.columns(a.env.Stderr)))
		return
	}
	a.say("hint: " + hint)
}

// interactive reports whether a user can be prompted.
func (a *app) interactive() bool { return terminal(a.env.Stdin) && terminal(a.env.Stderr) }
