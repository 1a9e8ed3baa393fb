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

// talkingTools are tools with more to their calls than an answer.
func talkingTools(c *Call) []string {
	readOnly := ""
	if c.Revision >= "2025-03-26" {
		readOnly = `,"annotations":{"readOnlyHint":true}`
	}
	none := `"inputSchema":{"type":"object","additionalProperties":false}` + readOnly
	list := []string{
		`{"name":"picture","description":"Returns what is no text.",` + none + `}`,
		`{"name":"count","description":"Counts to three and tells how far it is.",` + none + `}`,
	}
	if c.Revision >= "2025-06-18" {
		list = append(list, `{"name":"ask","description":"Asks the user for a name.",`+none+`}`)
	}
	if c.Modern {
		list = append(list, locate)
	}
	list = append(list, `{"name":"model","description":"Asks the model for a word.",`+none+`}`, `{"name":"roots","description":"Counts the roots.",`+none+`}`)
	return append(list, taskTools(c)...)
}

// locate is a tool whose argument a header repeats.
const locate = `{"name":"locate","description":"Returns the place.","inputSchema":{"type":"object","properties":{"place":{"type":"string","x-mcp-header":"Place"}},"required":["place"],"additionalProperties":false},"annotations":{"readOnlyHint":true}}`

// checkPlace refuses a call whose header does not repeat the place.
func checkPlace(h http.Header, m serve.Message) *serve.Error {
	if m.Method != "tools/call" || text(m.Params, "name") != "locate" {
		return nil
	}
	name := mcp.ParamMismatch(json.RawMessage(locate), serve.Members(m.Params)["arguments"], func(name string) string { return spec.HeaderText(h.Get(name)) })
	if name == "" {
		return nil
	}
	return &serve.Error{Code: serve.CodeHeaderMismatch, Message: name + " does not match the body"}
}

// talk answers the calls of such tools; ok is false for others.
func (c *Call) talk(name string) (reply []byte, ok bool) {
	switch {
	case name == "research" && taskTools(c) != nil, name == "survey" && c.Revision == "2025-11-25":
		return c.startTask(name), true
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
		return c.input("elicitation", "elicitation/create", `{"message":"Who are you?","requestedSchema":{"type":"object","properties":{"name":{"type":"string","title":"Name"}},"required":["name"]}}`), true
	case name == "model":
		return c.input("sampling", "sampling/createMessage", `{"maxTokens":10,"messages":[{"role":"user","content":{"type":"text","text":"One word, please."}}]}`), true
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
		blocks = append(blocks, `{"type":"audio","data":"UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=","mimeType":"audio/wav"}`)
	}
	if c.Revision >= "2025-06-18" {
		blocks = append(blocks, `{"type":"resource_link","uri":"note://one","name":"one"}`)
	}
	return c.complete26(`{"content":[`+strings.Join(blocks, ",")+`]}`, false)
}

// count tells its progress where that was asked for, and logs where that was.
func (c *Call) count() []byte {
	meta := serve.Members(serve.Members(c.Params)["_meta"])
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

// level is the least level of the messages that the client wants; empty if it wants none.
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

// input is what a tool says that needs the client's help: an answer, or a wish.
func (c *Call) input(capability, method, params string) []byte {
	if !c.declared(capability) {
		if c.Modern {
			return serve.Failure(c.ID, &serve.Error{Code: serve.CodeMissingCapability, Message: "the client has not declared " + capability,
				Data: json.RawMessage(`{"requiredCapabilities":{"` + capability + `":{}}}`)})
		}
		return c.complete26(`{"content":[{"type":"text","text":"the client has not declared `+capability+`"}],"isError":true}`, false)
	}
	if !c.Modern {
		if answer, ok := c.Ask(method, params); ok {
			return c.toolText("answered: " + string(answer))
		}
		return nil
	}
	return c.round(method, params)
}

// round answers a call of the modern era that needs input: the first with a wish, the next with the end.
func (c *Call) round(method, params string) []byte {
	state := seal(text(c.Params, "name"))
	given := text(c.Params, "requestState")
	answer := serve.Members(serve.Members(c.Params)["inputResponses"])["answer"]
	switch {
	case given != "" && given != state:
		return c.fail(serve.CodeInvalidParams, "requestState is none that this server has given out")
	case given != "" && serve.Members(answer) != nil:
		return c.toolText("answered: " + string(answer))
	}
	return c.Result(fmt.Sprintf(`{"resultType":"input_required","_meta":{"%s":%s},"inputRequests":{"answer":{"method":%q,"params":%s}},"requestState":%q}`,
		serve.MetaServerInfo, c.Server.plan().Info, method, params, state))
}

// seal is a state that nobody else can make up, as far as a test goes.
func seal(state string) string {
	sum := sha256.Sum256([]byte("exemplar " + state))
	return state + "." + hex.EncodeToString(sum[:8])
}

// declared tells whether the client has declared a capability.
func (c *Call) declared(capability string) bool {
	all := serve.Members(serve.Members(c.Params)["_meta"])[serve.MetaCapabilities]
	if !c.Modern {
		c.Peer.mu.Lock()
		all = c.Peer.capabilities
		c.Peer.mu.Unlock()
	}
	return serve.Members(all)[capability] != nil
}
