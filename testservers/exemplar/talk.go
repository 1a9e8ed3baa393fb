package exemplar

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// talkingTools are tools that do more than respond.
func talkingTools(c *Call) []string {
	readOnly := ""
	if c.Revision >= "2025-03-26" {
		readOnly = `,"annotations":{"readOnlyHint":true}`
	}
	none := `"inputSchema":{"type":"object","additionalProperties":false}` + readOnly
	few := `"inputSchema":{"type":"object","properties":{"limit":{"type":"integer","minimum":1,"maximum":3},` +
		`"offset":{"type":"integer","minimum":0,"maximum":2}},"additionalProperties":false}` + readOnly
	list := []string{
		`{"name":"picture","description":"Returns an image.",` + none + `}`,
		`{"name":"count","description":"Counts to three and reports progress.",` + few + `}`,
	}
	if c.Revision >= "2025-06-18" {
		list = append(list, `{"name":"ask","description":"Asks the user for a name.",`+none+`}`)
	}
	if c.Modern {
		list = append(list, locate)
	}
	list = append(list, `{"name":"model","description":"Asks the model for a word.",`+none+`}`,
		`{"name":"roots","description":"Counts the roots.",`+none+`}`)
	return append(list, taskTools(c)...)
}

// locate is a tool with an argument that is repeated in a header.
const locate = `{"name":"locate","description":"Returns the place.","inputSchema":{"type":"object",` +
	`"properties":{"place":{"type":"string","x-mcp-header":"Place"}},"required":["place"],` +
	`"additionalProperties":false},"annotations":{"readOnlyHint":true}}`

// checkPlace rejects a call whose header does not match the place.
func checkPlace(h http.Header, m serve.Message) *serve.Error {
	if m.Method != "tools/call" || text(m.Params, "name") != "locate" {
		return nil
	}
	name := mcp.ParamMismatch(json.RawMessage(locate), serve.Members(m.Params)["arguments"],
		func(name string) string { return spec.HeaderText(h.Get(name)) })
	if name == "" {
		return nil
	}
	return &serve.Error{Code: serve.CodeHeaderMismatch, Message: name + " does not match the body"}
}

// talk handles the calls of these tools; ok is false for others.
func (c *Call) talk(name string) (reply []byte, ok bool) {
	switch {
	case name == "research" && taskTools(c) != nil, name == "survey" && c.Revision == "2025-11-25":
		return c.startTask(name), true
	case name == "interview" && c.Modern:
		return c.interview(), true
	case name == "picture":
		return c.picture(), true
	case name == "count":
		return c.count(), true
	case name == "locate" && c.Modern:
		arguments := serve.Members(c.Params)["arguments"]
		if raw := serve.Members(arguments)["place"]; raw == nil || raw[0] != '"' {
			return c.refuseArguments("place is required and is a string"), true
		}
		return c.toolText(text(arguments, "place")), true
	case name == "ask" && c.Revision >= "2025-06-18":
		return c.input("elicitation", "elicitation/create",
			`{"message":"Who are you?","requestedSchema":{"type":"object","properties":{"name":{"type":"string",`+
				`"title":"Name"}},"required":["name"]}}`), true
	case name == "model":
		return c.input("sampling", "sampling/createMessage",
			`{"maxTokens":10,"messages":[{"role":"user","content":{"type":"text","text":"One word, please."}}]}`), true
	case name == "roots":
		return c.input("roots", "roots/list", `{}`), true
	}
	return nil, false
}

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII="

func (c *Call) picture() []byte {
	blocks := []string{`{"type":"image","data":"` + pixel + `","mimeType":"image/png"}`,
		`{"type":"resource","resource":{"uri":"note://pixel","mimeType":"image/png","blob":"` + pixel + `"}}`}
	if c.Revision >= "2025-03-26" {
		blocks = append(blocks, `{"type":"audio",`+
			`"data":"UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=","mimeType":"audio/wav"}`)
	}
	if c.Revision >= "2025-06-18" {
		blocks = append(blocks, `{"type":"resource_link","uri":"note://one","name":"one"}`)
	}
	return c.complete26(`{"content":[`+strings.Join(blocks, ",")+`]}`, false)
}

// count reports progress and logs, each if the client requested it.
func (c *Call) count() []byte {
	meta := serve.Members(serve.Members(c.Params)["_meta"])
	arguments := serve.Members(serve.Members(c.Params)["arguments"])
	if limit := arguments["limit"]; limit != nil && !slices.Contains([]string{"1", "2", "3"}, string(limit)) {
		return c.refuseArguments("limit is an integer from 1 to 3")
	}
	if offset := arguments["offset"]; offset != nil && !slices.Contains([]string{"0", "1", "2"}, string(offset)) {
		return c.refuseArguments("offset is an integer from 0 to 2")
	}
	for n := 1; n <= 3; n++ {
		if token, ok := meta["progressToken"]; ok {
			c.Notify("notifications/progress", fmt.Sprintf(`{"progressToken":%s,"progress":%d,"total":3}`, token, n))
		}
	}
	if level := c.level(meta); level != "" && slices.Index(levels, level) <= slices.Index(levels, "info") {
		c.Notify("notifications/message", `{"level":"info","logger":"exemplar","data":"counted"}`)
	}
	return c.toolText("3")
}

var levels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// level is the minimum level of the requested log messages; empty if none are requested.
func (c *Call) level(meta map[string]json.RawMessage) string {
	if c.Modern {
		var level string
		_ = json.Unmarshal(meta[serve.MetaLogLevel], &level)
		return level
	}
	c.Peer.mu.Lock()
	defer c.Peer.mu.Unlock()
	if c.Peer.level == "" {
		return "debug"
	}
	return c.Peer.level
}

// input handles a tool that needs client input: it returns a result, or an input request.
func (c *Call) input(capability, method, params string) []byte {
	if !c.declared(capability) {
		if c.Modern {
			return serve.Failure(c.ID, &serve.Error{Code: serve.CodeMissingCapability,
				Message: "the client has not declared " + capability,
				Data:    json.RawMessage(`{"requiredCapabilities":{"` + capability + `":{}}}`)})
		}
		return c.complete26(`{"content":[{"type":"text","text":"the client has not declared `+capability+
			`"}],"isError":true}`, false)
	}
	if !c.Modern {
		if answer, ok := c.Ask(method, params); ok {
			return c.toolText("answered: " + string(answer))
		}
		return nil
	}
	return c.round(method, params)
}

// round handles a call of 2026-07-28 that needs input: the first returns an input request, the next the result.
func (c *Call) round(method, params string) []byte {
	state := seal(text(c.Params, "name"))
	given := text(c.Params, "requestState")
	answer := serve.Members(serve.Members(c.Params)["inputResponses"])["answer"]
	switch {
	case given != "" && given != state:
		return c.fail(serve.CodeInvalidParams, "requestState was not issued by this server")
	case given != "" && serve.Members(answer) != nil:
		return c.toolText("answered: " + string(answer))
	}
	return c.Result(fmt.Sprintf(`{"resultType":"input_required","_meta":{"%s":%s},`+
		`"inputRequests":{"answer":{"method":%q,"params":%s}},"requestState":%q}`,
		serve.MetaServerInfo, c.Server.plan().Info, method, params, state))
}

// seal is a state that clients cannot forge, as far as a test needs.
func seal(state string) string {
	sum := sha256.Sum256([]byte("exemplar " + state))
	return state + "." + hex.EncodeToString(sum[:8])
}

// declared reports whether the client has declared a capability.
func (c *Call) declared(capability string) bool {
	all := serve.Members(serve.Members(c.Params)["_meta"])[serve.MetaCapabilities]
	if !c.Modern {
		c.Peer.mu.Lock()
		all = c.Peer.capabilities
		c.Peer.mu.Unlock()
	}
	return serve.Members(all)[capability] != nil
}
