package conform

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http049 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-049",
		Severity: finding.Warning,
		Spec:     spec.URL(spec.November2025, "basic/transports#session-management"),
		Doc: `data of one session should not appear in another

Two clients without credentials are connected. One calls a read-only tool with a random word, and then a tool returns the word
to the other one: each user sees what the others do. Typical cause: a history, a cache or a selection in a global variable.

A tool that returns the session ID of another client is reported too: whoever knows it can act in that session.

Store the data by session or by user. If it is shared on purpose, say so in the description of the tool that returns it: "of all
users". Tools that say so, and logs and statistics of the server, are not checked.`,
	},
	Since: spec.March2025,
	Until: spec.NewestLegacy,
	On:    OnHTTP,
	Needs: "tools",
	Alone: true, // calls of other checks would replace the word in a short history
	Run: func(ctx context.Context, p *CheckContext) error {
		if len(p.Target.Header) > 0 {
			return p.Skip("the headers of all sessions may name one user")
		}
		word := "mcptest" + strings.ToLower(rand.Text()[:12])
		writers, readers, err := p.writersAndReaders(ctx, word)
		if err != nil {
			return err
		}
		first, second, err := p.twoSessions(ctx)
		if err != nil {
			return err
		}
		for _, t := range writers {
			if _, err := p.CallIn(ctx, first, "tools/call", mcp.Object("name", t.Name, "arguments", t.Arguments)); err != nil {
				return err
			}
		}
		for _, t := range readers {
			ex, err := p.CallIn(ctx, second, "tools/call", mcp.Object("name", t.Name, "arguments", t.Arguments))
			if err != nil {
				return err
			}
			where := Evidence{Subject: t.Name, Exchange: ex, Led: true}
			if id := first.Handshake.Header.Get("Mcp-Session-Id"); len(id) >= minSessionID && bytes.Contains(ex.Reply.Result, []byte(id)) {
				p.Report(where, "result contains the session ID of another session: expected nothing of other sessions")
				return nil
			}
			if !isShared(t) && bytes.Contains(ex.Reply.Result, []byte(word)) {
				p.Report(where, "result contains a random word that only another session sent, as an argument of %s: expected "+
					"nothing of other sessions", namesOfTools(writers))
				return nil
			}
		}
		return nil
	},
}

// writersAndReaders lists read-only tools that take a text, with the word as the text, and those that need no arguments; those that are
// about all clients last.
func (p *CheckContext) writersAndReaders(ctx context.Context, word string) (writers, readers []Tool, err error) {
	tools, err := p.readOnlyTools(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, t := range tools {
		if reader := withoutOptionals(t); isEmptyObject(reader.Arguments) {
			readers = append(readers, reader)
		}
		for _, name := range textArguments(t) {
			if changed := withArgument(t, t.Arguments, name, `"`+word+`"`); !bytes.Equal(changed, t.Arguments) && len(writers) < someCalls {
				t.Arguments = changed
				writers = append(writers, t)
				break
			}
		}
	}
	if len(readers) == 0 {
		return nil, nil, p.Skip("no read-only tool needs no arguments")
	}
	slices.SortStableFunc(readers, func(a, b Tool) int { return sharing(a) - sharing(b) })
	return writers, readers[:min(len(readers), 2*someCalls)], nil
}

// twoSessions opens two sessions of a server that has sessions.
func (p *CheckContext) twoSessions(ctx context.Context) (first, second *mcp.Session, err error) {
	if first, err = p.Open(ctx, nil); err != nil {
		return nil, nil, err
	}
	if first.Handshake == nil || first.Handshake.Header.Get("Mcp-Session-Id") == "" {
		return nil, nil, p.Skip("the server has no sessions")
	}
	second, err = p.Open(ctx, nil)
	return first, second, err
}

// sharing sorts tools by whether they are about all clients.
func sharing(t Tool) int {
	if isShared(t) {
		return 1
	}
	return 0
}

func isEmptyObject(raw json.RawMessage) bool {
	members, err := schema.Members(raw)
	return err == nil && len(members) == 0
}

func namesOfTools(tools []Tool) string {
	var names []string
	for _, t := range tools {
		names = append(names, t.Name)
	}
	return strings.Join(names, " or ")
}

// isShared reports whether a tool says that it returns data of all clients, or of the server.
func isShared(t Tool) bool {
	return shared().MatchString(strings.NewReplacer("_", " ", "-", " ").Replace(t.Name) + ". " +
		schema.TextAt(t.Definition, "/description"))
}

var shared = lazyregexp.New(`(?i)\b(?:all|any|every|everyone|everybody|global(?:ly)?|shared?|sharing|public|popular|trending|team|` +
	`workspace|server(?:'s)?|process|logs?|audit|metrics|stat(?:u)?s|statistics|diagnostics?|debug)\b`)
