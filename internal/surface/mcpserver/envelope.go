package mcpserver

import (
	"cmp"
	"encoding/json"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/connections"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A connection describes the connection in use.
type connection struct {
	Name        string     `json:"name"`
	ServerURL   string     `json:"server_url"`
	Transport   string     `json:"transport"`
	ConnectedAt string     `json:"connected_at"`
	ServerInfo  serverInfo `json:"server_info"`
	Raw         rawLink    `json:"raw"`
}

type serverInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// A rawLink describes exactly how a server is reached.
type rawLink struct {
	Transport wire.Kind `json:"transport"`
	Protocol  string    `json:"protocol"`
	Era       spec.Era  `json:"era"`
}

func describe(l *connections.Link) connection {
	s := l.Session
	return connection{Name: l.Name, ServerURL: l.Address, Transport: l.Transport, ConnectedAt: stamp(l.Since),
		ServerInfo: infoOf(l),
		Raw:        rawLink{Transport: l.Kind, Protocol: s.Version, Era: s.Era}}
}

// A reference names the connection of a result.
type reference struct {
	Name        string `json:"name"`
	ServerURL   string `json:"server_url"`
	Transport   string `json:"transport"`
	ConnectedAt string `json:"connected_at"`
}

func reached(l *connections.Link) reference {
	return reference{l.Name, l.Address, l.Transport, stamp(l.Since)}
}

func infoOf(l *connections.Link) serverInfo {
	return serverInfo{Name: clip.Text(schema.TextAt(l.Session.Server, "/name"), maxText),
		Version: clip.Text(schema.TextAt(l.Session.Server, "/version"), maxText)}
}

// A server is the information that a server returned about itself when the connection was opened.
type server struct {
	Info         json.RawMessage `json:"info,omitempty"` // if it is more than name and version
	Capabilities json.RawMessage `json:"capabilities"`
	Instructions string          `json:"instructions,omitempty"`
	Protocol     string          `json:"protocol"`
	Why          string          `json:"why"`
	Notices      []notice        `json:"notices,omitempty"`
	NoticesTotal int             `json:"notices_total,omitempty"`
}

// maxShownNotices is the number of notices in a result; get_transcript has the frames of all.
const maxShownNotices = 50

// A notice is a protocol violation that was detected.
type notice struct {
	Frame int    `json:"frame"`
	Text  string `json:"text"`
}

// describeServer returns what a server declared. Its notices are part of the status; other results have those of the
// call among their problems.
func describeServer(l *connections.Link) server {
	s := l.Session
	out := server{Capabilities: small(s.Capabilities),
		Instructions: clip.Text(s.Instructions, smallLimit), Protocol: s.Version, Why: s.Why}
	if members, _ := schema.Members(s.Server); len(members) > 2 {
		out.Info = small(s.Server)
	}
	return out
}

// withNotices adds the violations of the protocol since the connection was opened.
func (out server) withNotices(l *connections.Link) *server {
	all := l.Session.Notices()
	out.NoticesTotal = len(all)
	for _, n := range all[:min(len(all), maxShownNotices)] {
		out.Notices = append(out.Notices, notice{n.Frame, n.Text})
	}
	return &out
}

// stamp formats a time in ISO 8601 with its zone.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z07:00") }

// An errorEnvelope is the result of a failed call.
type errorEnvelope struct {
	Success    bool       `json:"success"`
	Error      *failure   `json:"error"`
	Connection *reference `json:"connection,omitempty"`
	ToolCall   *toolCall  `json:"tool_call,omitempty"`
	Metadata   timing     `json:"metadata"`
}

type timing struct {
	RequestTimeMS int64 `json:"request_time_ms"`
}

func (c *call) errorEnvelope(f *failure) errorEnvelope {
	f.Message, f.Suggestion = clip.Text(f.Message, maxText),
		cmp.Or(f.Suggestion, "correct the arguments and call the tool again")
	out := errorEnvelope{Error: f, ToolCall: f.call, Metadata: timing{c.elapsed()}}
	if c.link != nil {
		about := reached(c.link)
		out.Connection = &about
	}
	return out
}

// A frame is a frame in a result.
type frame struct {
	Number int             `json:"number"`
	Time   string          `json:"time"`
	From   wire.Side       `json:"from"`
	Kind   string          `json:"kind"` // request, response, notification or other
	Method string          `json:"method,omitempty"`
	Conn   int             `json:"conn,omitempty"` // among those in the transcript; each has its own IDs
	Stream string          `json:"stream"`
	Status int             `json:"http_status,omitempty"`
	Header json.RawMessage `json:"header,omitempty"`
	Event  string          `json:"event,omitempty"`
	Body   string          `json:"body"`
	Base64 bool            `json:"base64,omitempty"` // the body is not text, and is encoded as base64
	Bytes  int             `json:"bytes"`            // of the whole body
	Cut    string          `json:"cut,omitempty"`    // what was omitted, and how to get it
	Fault  string          `json:"fault,omitempty"`
	Error  string          `json:"error,omitempty"`
}
