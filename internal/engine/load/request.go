package load

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// Nonce is a placeholder in arguments for a text that is unique in each call.
const Nonce = "{{nonce}}"

// A Request is one of the calls of a load.
type Request struct {
	Tool      string
	Arguments json.RawMessage
	Weight    int // how often it is made relative to the others; 0 means 1

	Echoes bool // the response contains the nonce of its call

	parts [][]byte   // the parameters, split at the nonce
	sent  wire.Frame // as sent in the rehearsal
}

// params are the parameters of a call with its nonce.
func (r *Request) params(nonce string) json.RawMessage {
	if r.parts == nil {
		quoted, _ := json.Marshal(r.Tool) // a string always marshals
		arguments := r.Arguments
		if arguments == nil {
			arguments = json.RawMessage("{}")
		}
		whole := []byte(`{"name":` + string(quoted) + `,"arguments":` + string(arguments) + `}`)
		r.parts = bytes.Split(whole, []byte(Nonce))
	}
	return bytes.Join(r.parts, []byte(nonce))
}

// A nonce is a text that is unique across all calls and runs. All have the same length, so that none is a substring of
// another.
func (r *runner) nonce(n int) string {
	digits := strconv.FormatUint(uint64(uint32(n)), 16)
	return "mcptest" + r.id + "00000000"[len(digits):] + digits
}

// rehearsed is the nonce of the calls before the load, of the same length.
const rehearsed = "mcptest0000000000000000"

// maxTried is how many arguments are tried as a location for the nonce.
const maxTried = 4

// TrialCall makes the call once, unchanged, and finds out whether the tool returns a nonce: one that is already in the
// arguments, or, if mayChange, one in any string that the tool's schema leaves free. It returns the failure of the
// first call, if any; an error means that there was no response.
func (r *Request) TrialCall(ctx context.Context, s *mcp.Session, inputSchema json.RawMessage, mayChange bool,
	timeout time.Duration) (*Failure, error) {
	result, err := r.send(ctx, s, rehearsed, timeout)
	var failure *Failure
	if errors.As(err, &failure) && !failure.Early {
		return failure, nil
	}
	if err != nil {
		return nil, err
	}
	if bytes.Contains(r.Arguments, []byte(Nonce)) {
		r.Echoes = bytes.Contains(result, []byte(rehearsed))
		return nil, nil
	}
	if !mayChange {
		return nil, nil
	}
	for _, changed := range r.withNonce(inputSchema) {
		candidate := Request{Tool: r.Tool, Arguments: changed, Weight: r.Weight, Echoes: true}
		if result, err := candidate.send(ctx, s, rehearsed, timeout); err == nil &&
			bytes.Contains(result, []byte(rehearsed)) {
			*r = candidate
			return nil, nil
		}
	}
	return nil, nil
}

// withNonce lists the arguments with a nonce in one of their strings, as far as the schema allows it.
func (r *Request) withNonce(inputSchema json.RawMessage) []json.RawMessage {
	compiled, err := schema.Compile(inputSchema, nil)
	members, notObject := schema.Members(r.Arguments)
	if err != nil || notObject != nil {
		return nil
	}
	var all []json.RawMessage
	for _, m := range members {
		value, isText := schema.Text(m.Value)
		if !isText || len(all) == maxTried {
			continue
		}
		longer, _ := json.Marshal(strings.TrimSpace(value + " " + Nonce)) // a string always marshals
		changed, err := schema.Apply(r.Arguments, []finding.Edit{{Pointer: "/" + schema.Token(m.Name), Value: longer}})
		sent := bytes.ReplaceAll(changed, []byte(Nonce), []byte(rehearsed))
		if err == nil && len(compiled.Validate(sent)) == 0 {
			all = append(all, changed)
		}
	}
	return all
}

// send makes the call once and returns the result. An error response is a *Failure.
func (r *Request) send(ctx context.Context, s *mcp.Session, nonce string, timeout time.Duration) (json.RawMessage,
	error) {
	ex, err := s.Do(ctx, mcp.Request{Method: "tools/call", Params: r.params(nonce), Timeout: timeout})
	if err != nil {
		return nil, err
	}
	r.sent = ex.Request.Frame
	if failure := failureOf(ex); failure != nil {
		return nil, failure
	}
	return ex.Reply.Result, nil
}

// failureOf is the failure that a response reports; nil if it succeeded.
func failureOf(ex *mcp.Exchange) *Failure {
	if e := ex.Reply.Error; e != nil {
		return &Failure{Kind: fmt.Sprintf("error %d", e.Code), Message: clip.Text(e.Message, maxMessage)}
	}
	result := ex.Reply.Result
	if !bytes.Contains(result, []byte(`"isError"`)) {
		return nil
	}
	if flag, _ := schema.Get(result, "/isError"); string(flag) != "true" {
		return nil
	}
	text, _ := schema.Get(result, "/content/0/text")
	message, _ := schema.Text(text)
	return &Failure{Kind: "isError", Message: clip.Text(message, maxMessage)}
}

// withoutResponse is the failure of a call without a response.
func withoutResponse(err error) *Failure {
	var late *mcp.TimeoutError
	if errors.As(err, &late) {
		return &Failure{Kind: "timeout", Message: clip.Text(err.Error(), maxMessage), Silent: true}
	}
	return &Failure{Kind: noResponse, Message: clip.Text(err.Error(), maxMessage), Silent: true, Early: true}
}

// maxMessage is the maximum length of a recorded message of a server.
const maxMessage = 300
