package demo

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// A question is input that a tool needs from the client's side.
type question struct {
	// missing is the capability that the client has not declared, as JSON; empty if it has.
	missing string
	// request is the request; the id is unique to this question.
	request func(id string) mcp.InputRequest
}

// requestInput returns the answer to a question, or else the result to return from the tool. From 2026-07-28 on that is
// a result that requests the input; in earlier revisions the SDK turns it into a separate request and calls the
// tool again.
func requestInput[A mcp.InputResponse](c *call, q question) (answer A, id string, otherwise *mcp.CallToolResult,
	err error) {
	if q.missing != "" {
		otherwise, err = c.lacking(q.missing)
		return answer, "", otherwise, err
	}
	p := c.request.Params
	if p.RequestState == "" {
		return answer, "", c.suspend(q), nil
	}
	id, ok := c.resume(p.RequestState)
	if !ok {
		return answer, "", nil, &jsonrpc.Error{Code: serve.CodeInvalidParams,
			Message: "invalid requestState: not issued for this call, or expired"}
	}
	given, ok := p.InputResponses["answer"]
	if !ok {
		return answer, "", c.suspend(q), nil // requested again; responses to other questions are ignored
	}
	if answer, ok = given.(A); !ok {
		return answer, "", nil, &jsonrpc.Error{Code: serve.CodeInvalidParams,
			Message: `inputResponses["answer"] does not match the request`}
	}
	return answer, id, nil, nil
}

// lacking rejects a call because the client lacks a capability.
func (c *call) lacking(need string) (*mcp.CallToolResult, error) {
	const reason = "the client does not declare a capability that this tool requires"
	if !c.modern() {
		return failed(reason + ": " + need), nil
	}
	return nil, &jsonrpc.Error{Code: serve.CodeMissingCapability, Message: reason,
		Data: json.RawMessage(`{"requiredCapabilities":` + need + `}`)}
}

// modern reports whether the call uses a revision from 2026-07-28 on.
func (c *call) modern() bool { return serve.IsModern(c.request.Session) }

// A suspended is the state that a client carries from one round of a call to the next. It is signed, so that no
// client can answer a question that was never asked, or for another call.
type suspended struct {
	ID      string    `json:"id"`
	Call    []byte    `json:"call"` // hash of the tool's name and arguments
	Expires time.Time `json:"expires"`
}

func (c *call) suspend(q question) *mcp.CallToolResult {
	s := suspended{ID: rand.Text(), Call: c.hash(), Expires: time.Now().Add(10 * time.Minute)}
	payload := serve.Encode(s)
	return &mcp.CallToolResult{
		InputRequests: mcp.InputRequestMap{"answer": q.request(s.ID)},
		RequestState: base64.RawURLEncoding.EncodeToString(payload) + "." +
			base64.RawURLEncoding.EncodeToString(c.sign(payload)),
	}
}

// resume checks a state and returns the ID of its question.
func (c *call) resume(state string) (id string, ok bool) {
	body, mac, _ := strings.Cut(state, ".")
	payload, err1 := base64.RawURLEncoding.DecodeString(body)
	sum, err2 := base64.RawURLEncoding.DecodeString(mac)
	if err1 != nil || err2 != nil || !hmac.Equal(sum, c.sign(payload)) {
		return "", false
	}
	var s suspended
	if json.Unmarshal(payload, &s) != nil || !hmac.Equal(s.Call, c.hash()) || time.Now().After(s.Expires) {
		return "", false
	}
	return s.ID, true
}

func (c *call) sign(payload []byte) []byte {
	m := hmac.New(sha256.New, c.key)
	m.Write(payload)
	return m.Sum(nil)
}

// hash identifies the call: its tool and arguments, regardless of their encoding.
func (c *call) hash() []byte {
	var v any
	json.Unmarshal(c.arguments, &v)
	sum := sha256.Sum256(serve.Encode([]any{c.request.Params.Name, v}))
	return sum[:]
}
