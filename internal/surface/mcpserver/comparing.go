package mcpserver

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/ops/changes"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// maxState is the maximum length of a lock file, a captured tools/list or a transcript in an argument.
const maxState = 4 << 20

func diffServer() tool {
	return tool{
		name: "diff_server", open: true,
		doc: "Lists what changed between two states of a server, and whether it breaks callers.",
		input: closed("", need("old", text("Connection, "+reportURI+"1 of lock_server, or the content of a "+
			"lock file, a tools/list or a transcript.", maxState)),
			may("new", text("Likewise (default: the current connection).", maxState)),
			may("server", text("Server in the lock file.", maxName)),
			may("verbose", flag("Also cosmetic changes."))),
		run: runDiffServer,
	}
}

func lockServer() tool {
	return tool{
		name: "lock_server", open: true,
		doc: "Returns a lock file of the server's definitions. Only the user approves it, with mcptest approve.",
		input: closed("", onConnection(),
			may("lock", text("Content of the present lock file, to keep its approvals.", maxState)),
			may("name", text("Server in the lock file.", maxName))),
		run: runLockServer,
	}
}

func runDiffServer(ctx context.Context, c *call) (any, error) {
	in := decode[struct {
		Old, New, Server string
		Verbose          bool
	}](c)
	before, err := c.state("old", in.Old, in.Server)
	if err != nil {
		return nil, err
	}
	after, err := c.state("new", in.New, in.Server)
	if err != nil {
		return nil, err
	}
	d, err := changes.DiffStates(ctx, c.desk.Bench(ctx, nil), before, after, in.Verbose)
	if err != nil {
		return nil, err
	}
	return c.reported(ordered{"success", true}, d, full, nil), nil
}

// state is one side of a comparison. A path names no file: assistants read no files through mcptest.
func (c *call) state(argument, given, server string) (*changes.State, error) {
	trimmed := strings.TrimSpace(given)
	if number, ok := strings.CutPrefix(trimmed, reportURI); ok {
		n, _ := strconv.Atoi(number)
		report, found := c.reports.last(n)
		lock, isLock := schema.Get(report, "/lock")
		if !found || !isLock {
			return nil, &failure{Type: invalidArguments, Message: fmt.Sprintf("%s is not a report of lock_server",
				trimmed), Details: details{"argument": argument}, Suggestion: "call lock_server first"}
		}
		return &changes.State{Name: trimmed, Text: lock, Server: server}, nil
	}
	if strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[") {
		return &changes.State{Name: argument, Text: []byte(given), Server: server}, nil
	}
	l, err := c.on(trimmed)
	if err != nil {
		return nil, err
	}
	return &changes.State{Name: l.Address, Session: l.Session}, nil
}

func runLockServer(ctx context.Context, c *call) (any, error) {
	in := decode[struct{ Connection, Lock, Name string }](c)
	l, err := c.on(in.Connection)
	if err != nil {
		return nil, err
	}
	proposal, err := changes.ProposeLock(ctx, c.desk.Bench(ctx, nil), l, in.Name, []byte(in.Lock))
	if err != nil {
		return nil, err
	}
	notes := []string{"not approved: have the user review it, and run mcptest approve in a terminal"}
	return c.reported(ordered{"success", true, "connection", reached(l)}, proposal, full, notes), nil
}
