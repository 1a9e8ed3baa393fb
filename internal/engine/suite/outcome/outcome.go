// Package outcome is what a call led to, and the values of targets in it, such as result.content[0].text.
package outcome

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/suite/match"
	"github.com/mcptest-dev/mcptest/internal/engine/suite/variables"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A Outcome is the outcome of a call, as targets see it.
type Outcome struct {
	Params   json.RawMessage // as sent
	Exchange *mcp.Exchange
	Verdict  *calls.Verdict  // nil if there was no response
	Err      error           // there was no response
	Late     bool            // because the time limit was reached
	Stderr   string          // what the server wrote to stderr while the call was in flight
	Written  func() string   // the same, read again; nil if nothing was sent
	Noise    string          // the last line of stdout in that time that is not a message
	Requests json.RawMessage // what HTTP fixtures received in that time
	Session  *mcp.Session    // that the call used; nil for a block
	Document json.RawMessage // of a block: its figures
}

// Find returns the value of a target; nil if there is none.
func (a *Outcome) Find(p Path) json.RawMessage {
	if a.Document != nil {
		raw, _ := p.of(a.Document)
		return raw
	}
	root, ok := a.Root(p[0])
	if !ok {
		return nil
	}
	if len(p) == 1 {
		return root
	}
	raw, found := p[1:].of(root)
	if !found && p[0] == "result" && len(p) == 2 && p[1] == "isError" && a.Result() != nil {
		return json.RawMessage("false") // an omitted isError is false
	}
	if !found {
		return nil
	}
	return raw
}

// Roots are the names that a target can begin with.
var Roots = []string{"result", "error", "text", "duration_ms", "progress", "logs", "notifications", "stderr",
	"stdout_noise", "http", "exit_code", "rejected", "requests", "session"}

// Root is the value that a target begins with, such as result.
func (a *Outcome) Root(word string) (json.RawMessage, bool) {
	var raw json.RawMessage
	switch word {
	case "result":
		raw = a.Result()
	case "error":
		raw = a.RPCError()
	case "text":
		return a.Text()
	case "duration_ms":
		if a.Exchange != nil {
			raw = json.RawMessage(strconv.FormatFloat(float64(a.Exchange.Elapsed.Microseconds())/1000, 'f', -1, 64))
		}
	case "progress":
		raw = a.notifications("notifications/progress")
	case "logs":
		raw = a.notifications("notifications/message")
	case "notifications":
		raw = a.allNotifications()
	case "stderr":
		raw = variables.Quoted(a.Stderr)
	case "stdout_noise":
		raw = variables.Quoted(a.Noise)
	case "http":
		raw = a.http()
	case "requests":
		raw = a.Requests
	case "session":
		raw = a.negotiated()
	case "rejected":
		if a.Verdict != nil {
			raw = json.RawMessage(strconv.FormatBool(a.Verdict.RPC != nil || a.Verdict.IsError))
		}
	case "exit_code":
		var exit *wire.ExitError
		if errors.As(a.Err, &exit) {
			raw = json.RawMessage(strconv.Itoa(exit.Code))
		}
	}
	return raw, raw != nil
}

// Result is the result of the call; nil if there is none.
func (a *Outcome) Result() json.RawMessage {
	if a.Exchange == nil || a.Exchange.Reply == nil {
		return nil
	}
	return a.Exchange.Reply.Result
}

// RPCError is the JSON-RPC error of the call; nil if there is none.
func (a *Outcome) RPCError() json.RawMessage {
	if a.Exchange == nil || a.Exchange.Reply == nil || a.Exchange.Reply.Error == nil {
		return nil
	}
	raw, _ := schema.Get(a.Exchange.Reply.Frame.Body, "/error")
	return raw
}

// Text is the text of a response: all text blocks of a tool's result, one per line.
func (a *Outcome) Text() (json.RawMessage, bool) {
	content, ok := schema.Get(a.Result(), "/content")
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
	return variables.Quoted(strings.Join(lines, "\n")), true
}

func (a *Outcome) notifications(method string) json.RawMessage {
	if a.Exchange == nil {
		return nil
	}
	out := []byte{'['}
	for _, m := range a.Exchange.Between {
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

// Failure describes the error of a call; empty if it succeeded.
func (a *Outcome) Failure() string {
	switch {
	case a.Verdict == nil:
		return ""
	case a.Verdict.RPC != nil:
		return clip.Sized(a.Verdict.RPC.Error(), match.MaxDisplayed)
	case a.Verdict.IsError:
		text, _ := a.Text()
		return "the tool returned an error (isError): " + clip.Sized(match.Flat(text), match.MaxDisplayed)
	}
	return ""
}

// maxProblems is the maximum number of problems of a malformed result that are shown.
const maxProblems = 20

// Malformed lists why the response cannot be used, although it is not an error.
func (a *Outcome) Malformed() []string {
	if a.Verdict == nil {
		return nil
	}
	var all []string
	for _, r := range a.Verdict.Remarks() {
		if (r.Kind == calls.KindMalformed || r.Kind == calls.KindOutput) && len(all) < maxProblems {
			all = append(all, r.Message)
		}
	}
	return all
}

// Notes lists remarks that are not failures.
func (a *Outcome) Notes() []string {
	if a == nil || a.Verdict == nil {
		return nil
	}
	var all []string
	for _, r := range a.Verdict.Remarks() {
		if !r.Fails() {
			all = append(all, r.Message)
		}
	}
	return all
}

// Frames are the numbers of the frames of the call.
func (a *Outcome) Frames() []int {
	if a.Exchange == nil {
		return nil
	}
	all := []int{a.Exchange.Request.Frame.Seq}
	if a.Exchange.Reply != nil {
		all = append(all, a.Exchange.Reply.Frame.Seq)
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

// LateStderr returns the stderr output of a call for a message about its failure.
func (a *Outcome) LateStderr() string {
	for end := time.Now().Add(stderrGrace); a.Stderr == "" && a.Written != nil && time.Now().Before(end); {
		if a.Stderr = a.Written(); a.Stderr == "" {
			time.Sleep(stderrPause)
		}
	}
	return a.Stderr
}
