//lint:file-ignore SA1019 logging, sampling and roots are deprecated, and the suite asks for them

package conformanceserver

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// roundTools first return that they need input, and are called again with it.
func roundTools() []tool {
	seal := newSeal()
	named := func(suffix, description string, run func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult,
		error)) tool {
		return tool{name: "test_input_required_result_" + suffix, description: description, run: run}
	}
	return []tool{
		named("elicitation", "Asks the user for a name.", greetUser),
		named("sampling", "Asks the model a question.", askModel),
		named("list_roots", "Asks the client for its roots.", countRoots),
		named("request_state", "Carries a state from one round to the next.", seal.confirm),
		named("tampered_state", "Rejects a state that it has not issued.", seal.confirm),
		named("multiple_inputs", "Asks for three things at once.", askAll),
		named("multi_round", "Asks twice, one after the other.", seal.twice),
		named("capabilities", "Asks only for what the client has declared.", askWhatIsDeclared),
	}
}

const nameForm = `{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`

// form is an elicitation request.
func form(message, schema string) mcp.InputRequest {
	return &mcp.ElicitParams{Mode: "form", Message: message, RequestedSchema: json.RawMessage(schema)}
}

// needs is the result of a round that is not the last.
func needs(state string, requests mcp.InputRequestMap) (*mcp.CallToolResult, error) {
	return &mcp.CallToolResult{InputRequests: requests, RequestState: state}, nil
}

// filled returns a field of a submitted form; ok is false if there is none.
func filled(responses mcp.InputResponseMap, key, field string) (value any, ok bool) {
	answer, isForm := responses[key].(*mcp.ElicitResult)
	if !isForm || answer.Action != "accept" {
		return nil, false
	}
	value, ok = answer.Content[field]
	return value, ok
}

func greetUser(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if name, ok := filled(r.Params.InputResponses, "user_name", "name"); ok {
		return said(fmt.Sprintf("Hello, %v!", name))
	}
	return needs("", mcp.InputRequestMap{"user_name": form("What is your name?", nameForm)})
}

// sampled returns the text of a sampling response.
func sampled(responses mcp.InputResponseMap, key string) (string, bool) {
	answer, ok := responses[key].(*mcp.CreateMessageWithToolsResult)
	if !ok {
		return "", false
	}
	for _, block := range answer.Content {
		if t, isText := block.(*mcp.TextContent); isText {
			return t.Text, true
		}
	}
	return "no text", true
}

func askModel(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if answer, ok := sampled(r.Params.InputResponses, "capital_question"); ok {
		return said("The model said: " + answer)
	}
	return needs("", mcp.InputRequestMap{"capital_question": question("What is the capital of France?")})
}

func countRoots(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if answer, ok := r.Params.InputResponses["client_roots"].(*mcp.ListRootsResult); ok {
		return said(fmt.Sprintf("The client has %d roots.", len(answer.Roots)))
	}
	return needs("", mcp.InputRequestMap{"client_roots": &mcp.ListRootsParams{}})
}

func askAll(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	name, hasName := filled(r.Params.InputResponses, "user_name", "name")
	greeting, hasGreeting := sampled(r.Params.InputResponses, "greeting")
	_, hasRoots := r.Params.InputResponses["client_roots"].(*mcp.ListRootsResult)
	if hasName && hasGreeting && hasRoots {
		return said(fmt.Sprintf("%s, %v", greeting, name))
	}
	return needs("three-things", mcp.InputRequestMap{"user_name": form("What is your name?", nameForm),
		"greeting": question("Write a greeting."), "client_roots": &mcp.ListRootsParams{}})
}

func askWhatIsDeclared(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if len(r.Params.InputResponses) > 0 {
		return said("answered")
	}
	requests := mcp.InputRequestMap{}
	if can := r.ClientCapabilities(); can != nil {
		if can.Elicitation != nil {
			requests["user_name"] = form("What is your name?", nameForm)
		}
		if can.Sampling != nil {
			requests["greeting"] = question("Write a greeting.")
		}
		if can.RootsV2 != nil {
			requests["client_roots"] = &mcp.ListRootsParams{}
		}
	}
	if len(requests) == 0 {
		return said("the client has declared none of the required capabilities")
	}
	return needs("", requests)
}

// A seal marks the states that a server has issued.
type seal struct{ key []byte }

func newSeal() *seal {
	s := &seal{key: make([]byte, 32)}
	rand.Read(s.key)
	return s
}

func (s *seal) put(state string) string {
	m := hmac.New(sha256.New, s.key)
	m.Write([]byte(state))
	return state + "." + hex.EncodeToString(m.Sum(nil))
}

// open returns the sealed state.
func (s *seal) open(sealed string) (string, error) {
	at := strings.LastIndex(sealed, ".")
	if at < 0 || !hmac.Equal([]byte(s.put(sealed[:at])), []byte(sealed)) {
		return "", &jsonrpc.Error{Code: serve.CodeInvalidParams, Message: "requestState was not issued by this server"}
	}
	return sealed[:at], nil
}

func (s *seal) confirm(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if r.Params.RequestState != "" {
		if _, err := s.open(r.Params.RequestState); err != nil {
			return nil, err
		}
		if _, ok := filled(r.Params.InputResponses, "confirm", "ok"); ok {
			return said("state-ok")
		}
	}
	return needs(s.put("confirm"), mcp.InputRequestMap{
		"confirm": form("Please confirm.",
			`{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]}`)})
}

func (s *seal) twice(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if r.Params.RequestState == "" {
		return needs(s.put("first"), mcp.InputRequestMap{"step1": form("What is your name?", nameForm)})
	}
	state, err := s.open(r.Params.RequestState)
	if err != nil {
		return nil, err
	}
	if name, ok := filled(r.Params.InputResponses, "step1", "name"); state == "first" && ok {
		return needs(s.put(fmt.Sprintf("second %v", name)), mcp.InputRequestMap{
			"step2": form("Which color do you like?",
				`{"type":"object","properties":{"color":{"type":"string"}},"required":["color"]}`)})
	}
	color, ok := filled(r.Params.InputResponses, "step2", "color")
	if name, second := strings.CutPrefix(state, "second "); second && ok {
		return said(fmt.Sprintf("%s likes %v", name, color))
	}
	return nil, &jsonrpc.Error{Code: serve.CodeInvalidParams, Message: "inputResponses does not match inputRequests"}
}
