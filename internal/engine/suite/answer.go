package suite

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A callOutcome is the outcome of a call, as targets see it.
type callOutcome struct {
	params   json.RawMessage // as sent
	exchange *mcp.Exchange
	verdict  *calls.Verdict  // nil if there was no response
	err      error           // there was no response
	late     bool            // because the time limit was reached
	stderr   string          // what the server wrote to stderr while the call was in flight
	written  func() string   // the same, read again; nil if nothing was sent
	noise    string          // the last line of stdout in that time that is not a message
	requests json.RawMessage // what HTTP fixtures received in that time
	session  *mcp.Session    // that the call used; nil for a block
	document json.RawMessage // of a block: its figures
}

// lookup finds the value of a target; nil if there is none.
func (a *callOutcome) lookup(p path) json.RawMessage {
	if a.document != nil {
		raw, _ := p.of(a.document)
		return raw
	}
	root, ok := a.root(p[0])
	if !ok {
		return nil
	}
	if len(p) == 1 {
		return root
	}
	raw, found := p[1:].of(root)
	if !found && p[0] == "result" && len(p) == 2 && p[1] == "isError" && a.result() != nil {
		return json.RawMessage("false") // an omitted isError is false
	}
	if !found {
		return nil
	}
	return raw
}

// roots are the names that a target can begin with.
var roots = []string{"result", "error", "text", "duration_ms", "progress", "logs", "notifications", "stderr",
	"stdout_noise", "http", "exit_code", "rejected", "requests", "session"}

func (a *callOutcome) root(word string) (json.RawMessage, bool) {
	var raw json.RawMessage
	switch word {
	case "result":
		raw = a.result()
	case "error":
		raw = a.rpcError()
	case "text":
		return a.text()
	case "duration_ms":
		if a.exchange != nil {
			raw = json.RawMessage(strconv.FormatFloat(float64(a.exchange.Elapsed.Microseconds())/1000, 'f', -1, 64))
		}
	case "progress":
		raw = a.notifications("notifications/progress")
	case "logs":
		raw = a.notifications("notifications/message")
	case "notifications":
		raw = a.allNotifications()
	case "stderr":
		raw = quoted(a.stderr)
	case "stdout_noise":
		raw = quoted(a.noise)
	case "http":
		raw = a.http()
	case "requests":
		raw = a.requests
	case "session":
		raw = a.negotiated()
	case "rejected":
		if a.verdict != nil {
			raw = json.RawMessage(strconv.FormatBool(a.verdict.RPC != nil || a.verdict.IsError))
		}
	case "exit_code":
		var exit *wire.ExitError
		if errors.As(a.err, &exit) {
			raw = json.RawMessage(strconv.Itoa(exit.Code))
		}
	}
	return raw, raw != nil
}

func (a *callOutcome) result() json.RawMessage {
	if a.exchange == nil || a.exchange.Reply == nil {
		return nil
	}
	return a.exchange.Reply.Result
}

func (a *callOutcome) rpcError() json.RawMessage {
	if a.exchange == nil || a.exchange.Reply == nil || a.exchange.Reply.Error == nil {
		return nil
	}
	raw, _ := schema.Get(a.exchange.Reply.Frame.Body, "/error")
	return raw
}

// text is the text of a response: all text blocks of a tool's result, one per line.
func (a *callOutcome) text() (json.RawMessage, bool) {
	content, ok := schema.Get(a.result(), "/content")
	if !ok {
		return nil, false
	}
	blocks, _ := schema.Elements(content)
	var lines []string
	for _, b := range blocks {
		if raw, ok := schema.Get(b, "/text"); ok {
			if text, ok := schema.Text(raw); ok {
				lines = append(lines, text)
			}
		}
	}
	return quoted(strings.Join(lines, "\n")), true
}

func (a *callOutcome) notifications(method string) json.RawMessage {
	if a.exchange == nil {
		return nil
	}
	out := []byte{'['}
	for _, m := range a.exchange.Between {
		if m.Method != method || len(m.Params) == 0 {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, m.Params...)
	}
	return append(out, ']')
}

// failure describes the error of a call; empty if it succeeded.
func (a *callOutcome) failure() string {
	switch {
	case a.verdict == nil:
		return ""
	case a.verdict.RPC != nil:
		return clip.Sized(a.verdict.RPC.Error(), maxDisplayed)
	case a.verdict.IsError:
		text, _ := a.text()
		return "the tool returned an error (isError): " + clip.Sized(flat(text), maxDisplayed)
	}
	return ""
}

// maxProblems is the maximum number of problems of a malformed result that are shown.
const maxProblems = 20

// malformed lists why the response cannot be used, although it is not an error.
func (a *callOutcome) malformed() []string {
	if a.verdict == nil {
		return nil
	}
	var all []string
	for _, r := range a.verdict.Remarks() {
		if (r.Kind == calls.KindMalformed || r.Kind == calls.KindOutput) && len(all) < maxProblems {
			all = append(all, r.Message)
		}
	}
	return all
}

// notes lists remarks that are not failures.
func (a *callOutcome) notes() []string {
	if a == nil || a.verdict == nil {
		return nil
	}
	var all []string
	for _, r := range a.verdict.Remarks() {
		if !r.Fails() {
			all = append(all, r.Message)
		}
	}
	return all
}

// frames are the numbers of the frames of the call.
func (a *callOutcome) frames() []int {
	if a.exchange == nil {
		return nil
	}
	all := []int{a.exchange.Request.Frame.Seq}
	if a.exchange.Reply != nil {
		all = append(all, a.exchange.Reply.Frame.Seq)
	}
	if all[0] == 0 {
		return nil // nothing was recorded
	}
	return all
}

// How long the stderr output of a failed call may arrive after its response: it comes through another pipe.
const (
	stderrGrace = 50 * time.Millisecond
	stderrPause = 5 * time.Millisecond
)

// lateStderr returns the stderr output of a call for a message about its failure.
func (a *callOutcome) lateStderr() string {
	for end := time.Now().Add(stderrGrace); a.stderr == "" && a.written != nil && time.Now().Before(end); {
		if a.stderr = a.written(); a.stderr == "" {
			time.Sleep(stderrPause)
		}
	}
	return a.stderr
}
