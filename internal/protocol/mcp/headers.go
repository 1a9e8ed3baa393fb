package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// standingMeta is the metadata of every request: none in the legacy era.
func (s *Session) standingMeta() json.RawMessage {
	if s.Era != spec.Modern {
		return nil
	}
	var level any
	if s.opts.LogLevel != "" {
		level = s.opts.LogLevel
	}
	return Object(metaVersion, s.Version, metaClientInfo, s.opts.Client, metaCapabilities, s.caps, metaLogLevel, level)
}

// decorate adds to the params what the era requires in every request, and the progress token if progress is
// requested.
func (s *Session) decorate(r Request, id int64) json.RawMessage {
	if _, overHTTP := s.conn.(wire.Streamer); !overHTTP {
		r.Params = oneLine(r.Params)
	}
	meta := s.meta
	if r.OnProgress != nil {
		meta = splitMembers(withMember(meta.whole, "progressToken", strconv.AppendInt(nil, id, 10)))
	}
	if meta.whole == nil {
		return r.Params
	}
	return meta.addToMeta(r.Params)
}

// header builds the HTTP header of a message. Over stdio there is none.
func (s *Session) header(method string, params json.RawMessage, more http.Header) http.Header {
	if _, overHTTP := s.conn.(wire.Streamer); !overHTTP {
		return nil
	}
	h := http.Header{}
	for name, value := range s.opts.Header {
		h.Set(name, value)
	}
	now := s.negotiated.Load()
	if spec.Of(now.version).VersionHeader && method != "initialize" {
		h.Set("Mcp-Protocol-Version", now.version)
	}
	if now.sessionID != "" && now.era == spec.Legacy {
		h.Set("Mcp-Session-Id", now.sessionID)
	}
	if now.era == spec.Modern && method != "" {
		s.modernHeader(h, method, params)
	}
	for name, values := range more {
		h[http.CanonicalHeaderKey(name)] = values
	}
	return h
}

// modernHeader adds the headers that repeat parts of the message, for routing by proxies.
func (s *Session) modernHeader(h http.Header, method string, params json.RawMessage) {
	h.Set("Mcp-Method", method)
	key := spec.NamedBy(method)
	if key == "" {
		return
	}
	name := text(params, key)
	h.Set("Mcp-Name", spec.HeaderValue(name))
	if method != "tools/call" {
		return
	}
	s.mu.Lock()
	wanted := s.headers[name]
	s.mu.Unlock()
	if len(wanted) == 0 {
		return
	}
	arguments, _ := member(params, "arguments")
	repeat(h, wanted, arguments)
}

// repeat adds the headers that repeat arguments.
func repeat(h http.Header, wanted []headerParam, arguments json.RawMessage) {
	for _, p := range wanted {
		if value, ok := p.value(arguments); ok {
			h.Set("Mcp-Param-"+p.name, spec.HeaderValue(value))
		}
	}
}

// ParamHeaders returns the headers that repeat arguments of a call of the tool.
func ParamHeaders(tool, arguments json.RawMessage) http.Header {
	h := http.Header{}
	if wanted, err := toolHeaders(tool); err == nil {
		repeat(h, wanted, arguments)
	}
	return h
}

// A headerParam is an argument of a tool that is repeated in a header.
type headerParam struct {
	name string
	path []string // keys from the arguments down to the value
}

// value returns the text of the header, if the arguments have a value.
func (p headerParam) value(arguments json.RawMessage) (string, bool) {
	raw := arguments
	for _, key := range p.path {
		next, ok := member(raw, key)
		if !ok {
			return "", false
		}
		raw = next
	}
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" || raw[0] == '{' || raw[0] == '[' {
		return "", false
	}
	var s string
	if raw[0] == '"' && json.Unmarshal(raw, &s) == nil {
		return s, true
	}
	return string(raw), true
}

// learnHeaders stores which arguments of which tools are repeated in headers.
func (s *Session) learnHeaders(list json.RawMessage) {
	if s.Era != spec.Modern || !bytes.Contains(list, []byte("x-mcp-header")) {
		return
	}
	tools, _ := member(list, "tools")
	var items []json.RawMessage
	_ = json.Unmarshal(tools, &items)
	for _, tool := range items {
		if params, err := toolHeaders(tool); err == nil {
			s.mu.Lock()
			s.headers[text(tool, "name")] = params
			s.mu.Unlock()
		}
	}
}

// Learn stores, from a tool list that another session read, which arguments are repeated in headers.
func (s *Session) Learn(tools *List) {
	for _, page := range tools.Pages {
		if page.Reply != nil {
			s.learnHeaders(page.Reply.Result)
		}
	}
}

// refuseHeaders marks the tools with invalid x-mcp-header annotations: over HTTP the protocol requires a client
// to exclude them. Elsewhere the annotations have no effect.
func (s *Session) refuseHeaders(tools []Item) {
	if _, overHTTP := s.conn.(wire.Streamer); !overHTTP || s.Era != spec.Modern {
		return
	}
	for i := range tools {
		if tools[i].Odd != "" {
			continue
		}
		if err := HeaderFault(tools[i].Raw); err != nil {
			tools[i].Odd = err.Error()
		}
	}
}

// HeaderFault returns why an HTTP client must exclude a tool: its x-mcp-header annotations are invalid. It is
// nil for a usable tool.
func HeaderFault(tool json.RawMessage) error {
	_, err := toolHeaders(tool)
	return err
}

// toolHeaders reads the x-mcp-header annotations of a tool's input schema.
func toolHeaders(tool json.RawMessage) ([]headerParam, error) {
	schema, _ := member(tool, "inputSchema")
	var found []headerParam
	total := bytes.Count(schema, []byte(`"x-mcp-header"`))
	if total == 0 {
		return nil, nil
	}
	if err := collectHeaders(schema, nil, 0, &found); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, p := range found {
		if lower := strings.ToLower(p.name); seen[lower] {
			return nil, fmt.Errorf("duplicate x-mcp-header %q", p.name)
		} else {
			seen[lower] = true
		}
	}
	if len(found) < total {
		return nil, fmt.Errorf("an x-mcp-header is not reachable through properties alone")
	}
	return found, nil
}

// collectHeaders walks the properties; annotations below other keywords are not allowed.
func collectHeaders(schema json.RawMessage, path []string, depth int, found *[]headerParam) error {
	if depth > maxDepth {
		return fmt.Errorf("properties nested more than %d levels deep", maxDepth)
	}
	if raw, ok := member(schema, "x-mcp-header"); ok {
		name, err := headerName(raw, schema)
		if err != nil || len(path) == 0 {
			return fmt.Errorf("x-mcp-header at /%s: %w", strings.Join(path, "/"), orRoot(err))
		}
		*found = append(*found, headerParam{name: name, path: path})
	}
	properties, _ := member(schema, "properties")
	dec := jsontext.NewDecoder(bytes.NewBuffer(properties), lenient...)
	if tok, err := dec.ReadToken(); err != nil || tok.Kind() != '{' {
		return nil
	}
	for dec.PeekKind() == '"' {
		name, _ := dec.ReadValue()
		key := memberName(name)
		value, err := dec.ReadValue()
		if err != nil {
			return nil
		}
		next := append(append([]string(nil), path...), key)
		if err := collectHeaders(json.RawMessage(value.Clone()), next, depth+1, found); err != nil {
			return err
		}
	}
	return nil
}

func orRoot(err error) error {
	if err != nil {
		return err
	}
	return fmt.Errorf("the root is not a parameter")
}

// headerName checks an annotation: an HTTP token, on a value with a single encoding.
func headerName(raw, schema json.RawMessage) (string, error) {
	var name string
	if json.Unmarshal(raw, &name) != nil || name == "" {
		return "", fmt.Errorf("%s is not a header name", raw)
	}
	for i := range len(name) {
		if c := name[i]; c <= ' ' || c >= 0x7f || strings.IndexByte(`"(),/:;<=>?@[\]{}`, c) >= 0 {
			return "", fmt.Errorf("%q is not an HTTP header name", name)
		}
	}
	switch kind := text(schema, "type"); kind {
	case "string", "integer", "boolean":
		return name, nil
	default:
		return "", fmt.Errorf("type: got %q, expected string, integer or boolean", kind)
	}
}

// ParamMismatch compares the headers of a tools/call that repeat arguments of the tool with the arguments
// themselves. It returns the first header that differs from the body; "" means that all match. The value of a
// header is "" if it is absent.
func ParamMismatch(tool, arguments json.RawMessage, header func(name string) string) string {
	if !bytes.Contains(tool, []byte("x-mcp-header")) {
		return ""
	}
	params, err := toolHeaders(tool)
	if err != nil {
		return "" // a tool that must not be called over HTTP
	}
	for _, p := range params {
		name := "Mcp-Param-" + p.name
		if value, _ := p.value(arguments); value != header(name) {
			return name
		}
	}
	return ""
}
