package serve

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// A Boundary is between a client and a server. Revisions up to 2025-11-25 are legacy, those from 2026-07-28 on are
// modern. Between legacy and modern, messages are translated, and members that the other era does not define are
// removed. Within one era every byte stays unchanged.
//
// HTTP headers are not in the tables: no header is forwarded. The endpoint checks those of the client against its body,
// and the session with the server writes its own (MCP-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name,
// Mcp-Param-*).
type Boundary struct{ Client, Server spec.Era }

// A Part is a part of a message that can have members that only one era defines.
type Part int

const (
	RequestParams Part = iota // client to server
	RequestMeta               // client to server: params._meta
	resultMember              // server to client
	anyMeta                   // server to client: _meta of results and notifications
)

// eraMembers lists the reserved members that only one era defines.
var eraMembers = []struct {
	part Part
	name string
	era  spec.Era
}{
	{RequestMeta, MetaVersion, spec.Modern},      // to modern: the session adds its own
	{RequestMeta, MetaClientInfo, spec.Modern},   // to modern: the session adds the gateway's
	{RequestMeta, MetaCapabilities, spec.Modern}, // to modern: from initialize, see toModernMeta
	{RequestMeta, MetaLogLevel, spec.Modern},     // to modern: from logging/setLevel, see toModernMeta
	{RequestMeta, RelatedTask, spec.Legacy},
	{RequestParams, "inputResponses", spec.Modern}, // to legacy: the response to the server's request
	{RequestParams, "requestState", spec.Modern},
	{RequestParams, "task", spec.Legacy}, // to legacy: see taskOptions
	{resultMember, "resultType", spec.Modern},
	{resultMember, "ttlMs", spec.Modern},
	{resultMember, "cacheScope", spec.Modern},
	{anyMeta, MetaServerInfo, spec.Modern},
	{anyMeta, MetaSubscription, spec.Modern},
	{anyMeta, RelatedTask, spec.Legacy},
}

// codeURLElicitation requests a client of 2025-11-25 to open a URL and call again. Later revisions forbid the code.
const codeURLElicitation = -32042

// eraCodes lists the error codes that only one era defines, and the corresponding code of the other era. The message
// and the data stay unchanged.
var eraCodes = []struct {
	era      spec.Era
	code, as int64
}{
	{spec.Legacy, CodeResourceNotFound, CodeInvalidParams},
	{spec.Legacy, codeURLElicitation, CodeInternal},
	{spec.Modern, CodeHeaderMismatch, CodeInternal},          // the gateway wrote the header
	{spec.Modern, CodeMissingCapability, CodeInvalidRequest}, // the client lacks the capability
	{spec.Modern, CodeUnsupportedVersion, CodeInternal},      // the gateway chose the version
}

func (b Boundary) Crosses() bool { return b.Client != b.Server }

// foreign lists the members of a part that are not forwarded: all that only one of the two eras defines. Params keep
// those of the server's era: the gateway itself has added them.
func (b Boundary) foreign(p Part) []string {
	if !b.Crosses() {
		return nil
	}
	return foreignMembers[foreignKey{p, b.Client}]
}

// A foreignKey is a part of the messages between a client of this era and a server of the other one.
type foreignKey struct {
	part   Part
	client spec.Era
}

// foreignMembers is eraMembers by part and era of the client: each message that crosses is compared with it.
var foreignMembers = func() map[foreignKey][]string {
	all := map[foreignKey][]string{}
	for _, m := range eraMembers {
		for _, client := range []spec.Era{spec.Legacy, spec.Modern} {
			if key := (foreignKey{m.part, client}); m.part != RequestParams || m.era == client {
				all[key] = append(all[key], m.name)
			}
		}
	}
	return all
}()

// Without returns the members that are forwarded; the same map if all are.
func (b Boundary) Without(p Part, members map[string]json.RawMessage) map[string]json.RawMessage {
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

// Result translates a server's result of a method for the client.
func (b Boundary) Result(method string, result json.RawMessage) json.RawMessage {
	switch {
	case !b.Crosses() || result == nil:
		return result
	case b.Client == spec.Modern:
		return modernised(method, b.stripped(result, nil))
	}
	return b.stripped(result, b.foreign(resultMember))
}

// Notification translates the params of a server's notification for the client.
func (b Boundary) Notification(params json.RawMessage) json.RawMessage {
	if !b.Crosses() {
		return params
	}
	return b.stripped(params, nil)
}

// stripped removes the named members of an object, and the members of its _meta that do not cross.
func (b Boundary) stripped(object json.RawMessage, names []string) json.RawMessage {
	changed, err := schema.Filter(object, func(name string, value json.RawMessage) (json.RawMessage, bool) {
		if name == "_meta" {
			return b.strippedMeta(value)
		}
		return value, !slices.Contains(names, name)
	})
	if err != nil {
		return object
	}
	return changed
}

// strippedMeta removes the members of a _meta that do not cross. It returns false if nothing else was in it.
func (b Boundary) strippedMeta(meta json.RawMessage) (json.RawMessage, bool) {
	if !bytes.Contains(meta, []byte("io.modelcontextprotocol")) && bytes.IndexByte(meta, '\\') < 0 {
		return meta, true
	}
	foreign, own := b.foreign(anyMeta), 0
	changed, err := schema.Filter(meta, func(name string, value json.RawMessage) (json.RawMessage, bool) {
		if slices.Contains(foreign, name) {
			return nil, false
		}
		own++
		return value, true
	})
	if err != nil {
		return meta, true
	}
	return changed, own > 0
}

// Failure translates a server's error about a method for the client.
func (b Boundary) Failure(method string, e *mcp.RPCError) *mcp.RPCError {
	if !b.Crosses() || e == nil {
		return e
	}
	translated := *e
	for _, row := range eraCodes {
		if row.era == b.Server && row.code == e.Code {
			translated.Code = row.as
			return &translated
		}
	}
	if b.Client == spec.Legacy && e.Code == CodeInvalidParams && namesResource(method, e.Data) {
		translated.Code = CodeResourceNotFound
	}
	return &translated
}

// namesResource reports whether an error means that a resource does not exist: its data contains the URI.
func namesResource(method string, data json.RawMessage) bool {
	return method == "resources/read" && Members(data)["uri"] != nil
}

// modernised adds the members that modern results require to a legacy result.
func modernised(method string, result json.RawMessage) json.RawMessage {
	names, values := []string{"resultType"}, []json.RawMessage{rawjson.Quote("complete")}
	if method == "resources/read" || method == "skills/get" || IsList(method) {
		names, values = append(names, "ttlMs", "cacheScope"), append(values, json.RawMessage("0"), rawjson.Quote("private"))
	}
	return Extend(result, names, values)
}

// IsList reports whether a method returns pages.
func IsList(method string) bool {
	switch method {
	case "tools/list", "prompts/list", "resources/list", "resources/templates/list":
		return true
	}
	return false
}

// Extend returns an object with more members at its end; existing ones take precedence. Its own bytes stay unchanged.
func Extend(raw json.RawMessage, names []string, values []json.RawMessage) json.RawMessage {
	members, err := schema.Members(raw)
	if err != nil {
		return raw
	}
	has := func(name string) bool {
		return slices.ContainsFunc(members, func(m schema.Member) bool { return m.Name == name })
	}
	if !slices.ContainsFunc(names, func(name string) bool { return !has(name) }) {
		return raw
	}
	end := len(raw)
	for end > 0 && raw[end-1] != '}' {
		end--
	}
	b := append(make([]byte, 0, len(raw)+64), raw[:end-1]...)
	empty := len(members) == 0
	for i, name := range names {
		if has(name) {
			continue
		}
		if !empty {
			b = append(b, ',')
		}
		empty = false
		b = append(rawjson.AppendQuote(b, name), ':')
		b = append(b, values[i]...)
	}
	return append(b, '}')
}
