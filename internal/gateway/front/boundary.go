package front

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// A boundary is between a client and a server. Revisions up to 2025-11-25 are legacy, those from 2026-07-28 on are
// modern. Between legacy and modern, messages are translated, and members that the other era does not define are
// removed. Within one era every byte stays unchanged.
//
// HTTP headers are not in the tables: no header is forwarded. The endpoint checks those of the client against its body,
// and the session with the server writes its own (MCP-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name,
// Mcp-Param-*).
type boundary struct{ client, server spec.Era }

// A part of a message that can have members that only one era defines.
type part int

const (
	requestParams part = iota // client to server
	requestMeta               // client to server: params._meta
	resultMember              // server to client
	anyMeta                   // server to client: _meta of results and notifications
)

// metaClientInfo identifies the client in each request from 2026-07-28 on.
const metaClientInfo = "io.modelcontextprotocol/clientInfo"

// eraMembers lists the reserved members that only one era defines.
var eraMembers = []struct {
	part part
	name string
	era  spec.Era
}{
	{requestMeta, serve.MetaVersion, spec.Modern},      // to modern: the session adds its own
	{requestMeta, metaClientInfo, spec.Modern},         // to modern: the session adds the gateway's
	{requestMeta, serve.MetaCapabilities, spec.Modern}, // to modern: from initialize, see toModernMeta
	{requestMeta, serve.MetaLogLevel, spec.Modern},     // to modern: from logging/setLevel, see toModernMeta
	{requestMeta, relatedTask, spec.Legacy},
	{requestParams, "inputResponses", spec.Modern}, // to legacy: the response to the server's request
	{requestParams, "requestState", spec.Modern},
	{requestParams, "task", spec.Legacy}, // to legacy: see taskWish
	{resultMember, "resultType", spec.Modern},
	{resultMember, "ttlMs", spec.Modern},
	{resultMember, "cacheScope", spec.Modern},
	{anyMeta, serve.MetaServerInfo, spec.Modern},
	{anyMeta, metaSubscription, spec.Modern},
	{anyMeta, relatedTask, spec.Legacy},
}

// codeURLElicitation requests a client of 2025-11-25 to open a URL and call again. Later revisions forbid the code.
const codeURLElicitation = -32042

// eraCodes lists the error codes that only one era defines, and the corresponding code of the other era. The message
// and the data stay unchanged.
var eraCodes = []struct {
	era      spec.Era
	code, as int64
}{
	{spec.Legacy, serve.CodeResourceNotFound, serve.CodeInvalidParams},
	{spec.Legacy, codeURLElicitation, serve.CodeInternal},
	{spec.Modern, serve.CodeHeaderMismatch, serve.CodeInternal},          // the gateway wrote the header
	{spec.Modern, serve.CodeMissingCapability, serve.CodeInvalidRequest}, // the client lacks the capability
	{spec.Modern, serve.CodeUnsupportedVersion, serve.CodeInternal},      // the gateway chose the version
}

func (b boundary) crosses() bool { return b.client != b.server }

// foreign lists the members of a part that are not forwarded: all that only one of the two eras defines. Params keep
// those of the server's era: the gateway itself has added them.
func (b boundary) foreign(p part) []string {
	if !b.crosses() {
		return nil
	}
	var names []string
	for _, m := range eraMembers {
		if m.part == p && (p != requestParams || m.era == b.client) {
			names = append(names, m.name)
		}
	}
	return names
}

// without returns the members that are forwarded; the same map if all are.
func (b boundary) without(p part, members map[string]json.RawMessage) map[string]json.RawMessage {
	names := b.foreign(p)
	if !slices.ContainsFunc(names, func(name string) bool { return members[name] != nil }) {
		return members
	}
	members = maps.Clone(members)
	for _, name := range names {
		delete(members, name)
	}
	return members
}

// result translates a server's result of a method for the client.
func (b boundary) result(method string, result json.RawMessage) json.RawMessage {
	switch {
	case !b.crosses() || result == nil:
		return result
	case b.client == spec.Modern:
		return modernised(method, b.stripped(result, nil))
	}
	return b.stripped(result, b.foreign(resultMember))
}

// notification translates the params of a server's notification for the client.
func (b boundary) notification(params json.RawMessage) json.RawMessage {
	if !b.crosses() {
		return params
	}
	return b.stripped(params, nil)
}

// stripped removes the named members of an object, and the members of its _meta that do not cross.
func (b boundary) stripped(object json.RawMessage, names []string) json.RawMessage {
	var edits []finding.Edit
	remove := func(pointer string) { edits = append(edits, finding.Edit{Pointer: pointer}) }
	members, err := schema.Members(object)
	if err != nil {
		return object
	}
	for _, m := range members {
		switch {
		case slices.Contains(names, m.Name):
			remove("/" + m.Name)
		case m.Name == "_meta":
			foreign := b.foreignMeta(m.Value)
			if inner, err := schema.Members(m.Value); err == nil && len(foreign) == len(inner) && len(inner) > 0 {
				remove("/_meta")
				continue
			}
			for _, name := range foreign {
				remove("/_meta/" + schema.Token(name))
			}
		}
	}
	if len(edits) == 0 {
		return object
	}
	changed, err := schema.Apply(object, edits)
	if err != nil {
		return object
	}
	return changed
}

func (b boundary) foreignMeta(meta json.RawMessage) []string {
	if !bytes.Contains(meta, []byte("io.modelcontextprotocol")) && bytes.IndexByte(meta, '\\') < 0 {
		return nil
	}
	var found []string
	inner, _ := schema.Members(meta)
	for _, m := range inner {
		if slices.Contains(b.foreign(anyMeta), m.Name) {
			found = append(found, m.Name)
		}
	}
	return found
}

// failure translates a server's error about a method for the client.
func (b boundary) failure(method string, e *mcp.RPCError) *mcp.RPCError {
	if !b.crosses() || e == nil {
		return e
	}
	translated := *e
	for _, row := range eraCodes {
		if row.era == b.server && row.code == e.Code {
			translated.Code = row.as
			return &translated
		}
	}
	if b.client == spec.Legacy && e.Code == serve.CodeInvalidParams && namesResource(method, e.Data) {
		translated.Code = serve.CodeResourceNotFound
	}
	return &translated
}

// namesResource reports whether an error means that a resource does not exist: its data contains the URI.
func namesResource(method string, data json.RawMessage) bool {
	return method == "resources/read" && serve.Members(data)["uri"] != nil
}

// toModernMeta adds to a request of a legacy client what a modern server reads from each request: the capabilities that
// the client declared in initialize, and the log level that it set.
func (f *forwarder) toModernMeta(c *serve.Call, meta map[string]json.RawMessage) map[string]json.RawMessage {
	if c.Peer.Capabilities != nil {
		meta = with(meta, serve.MetaCapabilities, followingTasks(c.Peer.Capabilities))
	}
	if level, ok := f.levels.Load(c.Peer); ok && level.(int) >= 0 {
		meta = with(meta, serve.MetaLogLevel, quoted(levels[level.(int)]))
	}
	return meta
}

// followingTasks is the capabilities of a legacy client in modern form. It need not support tasks: the gateway polls
// them on its behalf.
func followingTasks(capabilities json.RawMessage) json.RawMessage {
	members := serve.Members(capabilities)
	if members["extensions"] != nil {
		return capabilities
	}
	return object(with(with(members, "extensions", raw(`{"`+tasksExtension+`":{}}`)), "tasks", nil))
}

// modernised adds the members that modern results require to a legacy result.
func modernised(method string, result json.RawMessage) json.RawMessage {
	names, values := []string{"resultType"}, []json.RawMessage{quoted("complete")}
	if method == "resources/read" || isList(method) {
		names, values = append(names, "ttlMs", "cacheScope"), append(values, json.RawMessage("0"), quoted("private"))
	}
	return extended(result, names, values)
}
