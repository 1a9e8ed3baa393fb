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

// standingMeta is the metadata that every request carries: nothing in the older era.
func (s *Session) standingMeta() json.RawMessage {
	if s.Era != Modern {
		return nil
	}
	var level any
	if s.opts.LogLevel != "" {
		level = s.opts.LogLevel
	}
	return Object(metaVersion, s.Version, metaClientInfo, s.opts.Client, metaCapabilities, s.caps, metaLogLevel, level)
}

// decorate adds to the params what the era wants in every request, and the progress token if progress is wanted.
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
	now := s.manner.Load()
	if now.version >= "2025-06-18" && method != "initialize" {
		h.Set("Mcp-Protocol-Version", now.version)
	}
	if now.sessionID != "" && now.era == Legacy {
		h.Set("Mcp-Session-Id", now.sessionID)
	}
	if now.era == Modern && method != "" {
		s.modernHeader(h, method, params)
	}
	for name, values := range more {
		h[http.CanonicalHeaderKey(name)] = values
	}
	return h
}

// modernHeader repeats in the header what a proxy may want to route by.
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

// repeat puts arguments into the headers that are to say the same.
func repeat(h http.Header, wanted []headerParam, arguments json.RawMessage) {
	for _, p := range wanted {
		if value, ok := p.value(arguments); ok {
			h.Set("Mcp-Param-"+p.name, spec.HeaderValue(value))
		}
	}
}

// ParamHeaders are the headers that repeat arguments of a call of the tool.
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

// value is the header's text, if the arguments have one.
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

// learnHeaders remembers which arguments of which tools want a header.
func (s *Session) learnHeaders(list json.RawMessage) {
	if s.Era != Modern || !bytes.Contains(list, []byte("x-mcp-header")) {
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

// Learn remembers from a list of tools that another session read which of their arguments are repeated in headers.
func (s *Session) Learn(tools *List) {
	for _, page := range tools.Pages {
		if page.Reply != nil {
			s.learnHeaders(page.Reply.Result)
		}
	}
}

// refuseHeaders marks the tools whose x-mcp-header annotations are wrong: over HTTP the protocol wants a client to leave
// them alone. Elsewhere the annotations mean nothing.
func (s *Session) refuseHeaders(tools []Item) {
	if _, overHTTP := s.conn.(wire.Streamer); !overHTTP || s.Era != Modern {
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

// HeaderFault tells why an HTTP client must leave a tool out: its x-mcp-header annotations are wrong. It is nil for a
// tool that can be used.
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
			return nil, fmt.Errorf("x-mcp-header %q stands twice", p.name)
		} else {
			seen[lower] = true
		}
	}
	if len(found) < total {
		return nil, fmt.Errorf("an x-mcp-header stands where properties alone do not lead")
	}
	return found, nil
}

// collectHeaders walks the properties; no other keyword leads to a header.
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

// headerName checks an annotation: an HTTP token, on a value that has one spelling.
func headerName(raw, schema json.RawMessage) (string, error) {
	var name string
	if json.Unmarshal(raw, &name) != nil || name == "" {
		return "", fmt.Errorf("%s is not a name", raw)
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
		return "", fmt.Errorf("type is %q; want string, integer or boolean", kind)
	}
}

// ParamMismatch compares the headers of a tools/call that repeat arguments of the tool with the arguments themselves. It
// names the first header that does not say what the body says; "" means that all do. The value of a header is "" if it
// is absent.
func ParamMismatch(tool, arguments json.RawMessage, header func(name string) string) string {
	if !bytes.Contains(tool, []byte("x-mcp-header")) {
		return ""
	}
	params, err := toolHeaders(tool)
	if err != nil {
		return "" // a tool that no client may call this way
	}
	for _, p := range params {
		name := "Mcp-Param-" + p.name
		if value, _ := p.value(arguments); value != header(name) {
			return name
		}
	}
	return ""
}
