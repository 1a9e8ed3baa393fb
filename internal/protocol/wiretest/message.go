package wiretest

import (
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// A Message is a message that a client sent.
type Message struct {
	Method string      // its JSON-RPC method; "response" for a response, "GET" or "DELETE" for such an HTTP request
	Body   string      // the bytes without their framing
	Header http.Header // nil on a pipe

	id, params, arguments, token string
}

// readMessage parses the parts that a script may repeat.
func readMessage(body []byte) Message {
	m := Message{Body: string(body), Method: "response", id: "null", params: "null", arguments: "null", token: "null"}
	var envelope struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
	}
	if json.Unmarshal(body, &envelope) != nil {
		m.Method = "garbage"
		return m
	}
	if envelope.Method != "" {
		m.Method = envelope.Method
	}
	take := func(into *string, raw json.RawMessage) {
		if raw != nil {
			*into = string(raw)
		}
	}
	take(&m.id, envelope.ID)
	take(&m.params, envelope.Params)
	var params struct {
		Arguments json.RawMessage `json:"arguments"`
		Meta      struct {
			Token json.RawMessage `json:"progressToken"`
		} `json:"_meta"`
	}
	_ = json.Unmarshal(envelope.Params, &params)
	take(&m.arguments, params.Arguments)
	take(&m.token, params.Meta.Token)
	return m
}

func (m *Message) isRequest() bool { return m.id != "null" && m.Method != "response" }

var made = regexp.MustCompile(`\$(fill|nest)\((\d+)\)`)

// expand substitutes the parts of the message in a step's text.
func (m *Message) expand(text string, n int) string {
	if !strings.Contains(text, "$") {
		return text
	}
	text = made.ReplaceAllStringFunc(text, func(call string) string {
		parts := made.FindStringSubmatch(call)
		size, _ := strconv.Atoi(parts[2])
		if parts[1] == "nest" {
			return strings.Repeat("[", size) + strings.Repeat("]", size)
		}
		return strings.Repeat("x", size)
	})
	return strings.NewReplacer("$id", m.id, "$params", m.params, "$arguments", m.arguments, "$token", m.token,
		"$n", strconv.Itoa(n), "$pid", strconv.Itoa(os.Getpid())).Replace(text)
}
