package diagnose

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// list lists the tools, and checks that the client accepts them.
func (w *walk) list(within context.Context, s *mcp.Session, limit time.Duration) *problem {
	var tools []hosts.Tool
	failed := w.step(within, "list", func(context.Context) (string, *problem) {
		list, err := s.List(within, "tools/list")
		if err != nil {
			return "", w.unlisted(within, err, limit)
		}
		for _, item := range list.Items {
			tools = append(tools, hosts.Read(item.Raw))
		}
		return w.listed(s, list)
	})
	if failed != nil {
		return failed
	}
	return w.step(within, "schemas", func(context.Context) (string, *problem) { return w.schemas(tools) })
}

// unlisted returns why the tools could not be listed.
func (w *walk) unlisted(within context.Context, err error, limit time.Duration) *problem {
	var failed *wire.Error
	var exit *wire.ExitError
	stderr := ""
	if errors.As(err, &failed) {
		stderr = wire.Plain(failed.Stderr)
	}
	switch {
	case errors.As(err, &exit):
		p := because("run: mcptest tools list "+w.in.Name+" --trace", "%s during tools/list", exit.Error())
		if cause := causeOf(stderr, w); cause != nil {
			p.cause += ": " + cause.cause
			p.fix = cause.fix
		}
		return p.with(lastLines(stderr)...)
	case within.Err() != nil:
		return because("make tools/list faster: do not wait for other services there",
			"tools/list does not respond within %s, the startup limit of %s", limit, w.out.Client.Name).
			with(lastLines(stderr)...)
	}
	return because("run: mcptest tools list "+w.in.Name+" --trace", "tools/list fails: %s", message(err)).
		with(lastLines(stderr)...)
}

// listed checks the response to tools/list.
func (w *walk) listed(s *mcp.Session, list *mcp.List) (string, *problem) {
	client := w.out.Client
	if list.Refused != nil {
		return "", because("run: mcptest tools list "+w.in.Name+" --trace", "tools/list fails: %s", list.Refused.Error())
	}
	if len(list.Problems) > 0 {
		return "", because("run: mcptest conform "+w.in.Name, "the list of tools is invalid: %s", list.Problems[0])
	}
	if client.needsTools && !s.Declares("tools") {
		return "", because(`declare the capability "tools" in the response to initialize`,
			`the server does not declare the capability "tools", so %s does not list its tools`, client.Name)
	}
	if other := w.otherOutput(); len(other) > 0 {
		p, known := hosts.Find(client.Profile)
		strict := p.StrictOut && !(p.Banner && !mcp.LateOutput(w.log.Since(0)))
		if strict || !known || !p.Measured() {
			cause := fmt.Sprintf("the server writes text to stdout that is not a message, so %s closes the connection",
				client.Name)
			if !strict {
				cause = "the server writes text to stdout that is not a message. Gemini CLI and Cline close the connection " +
					"then; " + client.Name + " was not measured"
			}
			problem := because("write logs and banners to stderr: stdout is for JSON-RPC messages, one per line", "%s",
				cause).with(other...)
			problem.unproven = !strict
			return "", problem
		}
		w.out.Notes = append(w.out.Notes, "the server writes text to stdout, which "+client.Name+" skips")
	}
	if len(list.Items) == 0 {
		return "", because("check the options of the server: it may offer tools only with some of them",
			"the server has no tools")
	}
	return fmt.Sprintf("%d tools", len(list.Items)), nil
}

// schemas checks which tools reach the model of the client.
func (w *walk) schemas(tools []hosts.Tool) (string, *problem) {
	client := w.out.Client
	profile, known := hosts.Find(client.Profile)
	if !known {
		return fmt.Sprintf("%d tools", len(tools)), nil
	}
	fix := "run: mcptest schema-lint " + w.in.Name
	if profile.MaxTools > 0 && len(tools) > profile.MaxTools {
		return "", because("offer fewer tools", "the server has %d tools, and %s accepts %d", len(tools), client.Name,
			profile.MaxTools)
	}
	var lost []string
	for _, tool := range tools {
		seen := hosts.View(profile, w.entry.Name, tool)
		switch {
		case seen.LosesServer:
			return "", because("correct the definition of the tool", "%s rejects all tools because of the tool %s: %s",
				client.Name, tool.Name, seen.Lost)
		case seen.Lost != "":
			lost = append(lost, tool.Name+": "+seen.Lost)
		}
	}
	if len(lost) > 0 {
		return "", because(fix, "%s drops %d of %d tools: %s", client.Name, len(lost), len(tools), lost[0]).with(lost...)
	}
	return fmt.Sprintf("all %d tools arrive", len(tools)), nil
}
