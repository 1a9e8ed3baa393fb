package exemplar

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// fail returns an error response.
func (c *Call) fail(code int, format string, args ...any) []byte {
	return serve.Failure(c.ID, &serve.Error{Code: code, Message: fmt.Sprintf(format, args...)})
}

// Refuse returns an error response.
func (c *Call) Refuse(code int, message string) []byte { return c.fail(code, "%s", message) }

// clean handles a request as the protocol requires.
func clean(c *Call) []byte {
	if c.Fault != nil {
		return serve.Failure(c.ID, c.Fault)
	}
	if c.Modern {
		if refusal := c.modern(); refusal != nil {
			return refusal
		}
	} else if refusal := c.legacy(); refusal != nil {
		return refusal
	}
	switch c.Method {
	case "initialize":
		return c.initialize()
	case "server/discover":
		return c.discover()
	case "ping":
		return c.Result(`{}`)
	case "tools/list":
		return c.list("tools", tools(c))
	case "tools/call":
		return c.callTool()
	case "resources/list":
		return c.list("resources", resources(c))
	case "resources/templates/list":
		return c.list("resourceTemplates", templates(c))
	case "resources/read":
		return c.readResource()
	case "resources/subscribe", "resources/unsubscribe":
		return c.subscribe()
	case "subscriptions/listen":
		return c.listen()
	case "prompts/list":
		return c.list("prompts", prompts(c))
	case "prompts/get":
		return c.getPrompt()
	case "completion/complete":
		return c.complete()
	case "logging/setLevel":
		return c.setLevel()
	}
	if c.isTask() {
		return c.tasks()
	}
	if reply := c.skills(); reply != nil {
		return reply
	}
	return c.fail(serve.CodeMethodNotFound, "method not found: %q", c.Method)
}

// modern rejects methods that revisions from 2026-07-28 on do not have.
func (c *Call) modern() []byte {
	switch c.Method {
	case "initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe":
		return c.fail(serve.CodeMethodNotFound, "method not found: %q", c.Method)
	}
	return nil
}

// legacy rejects methods that revisions up to 2025-11-25 do not have, and requests before the handshake.
func (c *Call) legacy() []byte {
	switch {
	case c.Method == "server/discover" || c.Method == "subscriptions/listen":
		return c.fail(serve.CodeMethodNotFound, "method not found: %q", c.Method)
	case c.Method != "initialize" && c.Method != "ping" && c.Peer.settled() == "":
		return c.fail(serve.CodeInvalidRequest, "initialize first")
	}
	return nil
}

func (p *Peer) settled() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.revision
}

func (c *Call) initialize() []byte {
	asked := text(c.Params, "protocolVersion")
	if asked == "" || serve.Members(serve.Members(c.Params)["capabilities"]) == nil ||
		serve.Members(serve.Members(c.Params)["clientInfo"]) == nil {
		return c.fail(serve.CodeInvalidParams, "protocolVersion, capabilities and clientInfo are required")
	}
	f := c.Server.plan()
	version := asked
	if !slices.Contains(f.Revisions, asked) || asked >= spec.July2026 {
		version = f.legacyRevision()
	}
	c.Peer.mu.Lock()
	c.Peer.revision, c.Peer.capabilities = version, serve.Members(c.Params)["capabilities"]
	c.Peer.mu.Unlock()
	c.Revision = version
	return c.Result(fmt.Sprintf(`{"protocolVersion":%q,"capabilities":%s,"serverInfo":%s,"instructions":%q}`, version,
		f.declared(version), f.Info, f.Instructions))
}

// legacyRevision is the newest revision with a handshake.
func (f *Features) legacyRevision() string {
	for _, r := range f.Revisions {
		if r < spec.July2026 {
			return r
		}
	}
	return ""
}

// declared are the capabilities that a revision defines.
func (f *Features) declared(revision string) string {
	var parts []string
	for _, name := range []string{"tools", "resources", "prompts", "completions", "logging", "tasks", "extensions"} {
		value, ok := f.Capabilities[name]
		if name == "extensions" && revision == "2025-11-25" {
			value = strings.Replace(value, `"io.modelcontextprotocol/tasks":{},`, "", 1) // it is a capability there
		}
		switch {
		case !ok, name == "completions" && revision < "2025-03-26", name == "tasks" && revision != "2025-11-25",
			name == "extensions" && revision < "2025-11-25":
			continue
		}
		parts = append(parts, fmt.Sprintf("%q:%s", name, value))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func (c *Call) discover() []byte {
	f := c.Server.plan()
	versions, _ := json.Marshal(f.Revisions)
	return c.complete26(fmt.Sprintf(`{"supportedVersions":%s,"capabilities":%s,"instructions":%q}`, versions,
		f.declared(spec.July2026), f.Instructions), true)
}

// complete26 adds the fields that 2026-07-28 requires in each result; in older revisions the result is unchanged.
func (c *Call) complete26(result string, cached bool) []byte {
	if !c.Modern {
		return c.Result(result)
	}
	more := `"resultType":"complete","_meta":{"` + serve.MetaServerInfo + `":` + c.Server.plan().Info + `}`
	if cached {
		more += `,"ttlMs":60000,"cacheScope":"public"`
	}
	if result == "{}" {
		return c.Result("{" + more + "}")
	}
	return c.Result(result[:len(result)-1] + "," + more + "}")
}

// pageSize is the number of items per page, so that lists of three have two pages.
const pageSize = 2

// list returns one page of a list.
func (c *Call) list(key string, items []string) []byte {
	start := 0
	if raw, ok := serve.Members(c.Params)["cursor"]; ok {
		if string(raw) != fmt.Sprintf(`"%s-2"`, key) || len(items) <= pageSize {
			return c.fail(serve.CodeInvalidParams, "unknown cursor")
		}
		start = pageSize
	}
	end, next := len(items), ""
	if start == 0 && len(items) > pageSize {
		end, next = pageSize, fmt.Sprintf(`,"nextCursor":"%s-2"`, key)
	}
	return c.complete26(fmt.Sprintf(`{%q:[%s]%s}`, key, strings.Join(items[start:end], ","), next), true)
}

// text is a string property of an object; empty if it is not a string.
func text(object json.RawMessage, key string) string {
	var value string
	_ = json.Unmarshal(serve.Members(object)[key], &value)
	return value
}
