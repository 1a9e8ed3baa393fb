package view

import "time"

// The verdicts on an exchange. Others are "error" with its code.
const (
	Succeeded = "ok"
	ToolError = "tool error" // a result with isError
	Malformed = "malformed"  // followed by the first violation of the revision
)

// A Frame is a row of the timeline.
type Frame struct {
	Seq    int       `json:"seq"`
	Time   time.Time `json:"time"`
	From   string    `json:"from"`           // client or server
	Conn   int       `json:"conn,omitempty"` // the connection number, from 1; absent if it was not recorded
	Stream string    `json:"stream"`
	Status int       `json:"status,omitempty"` // of HTTP
	// request, notification, result, error, batch, http (no message), other (no JSON-RPC)
	Kind      string   `json:"kind"`
	Method    string   `json:"method,omitempty"` // of a response, the method of its request
	Name      string   `json:"name,omitempty"`   // of the tool, resource or prompt
	IDJSON    string   `json:"id_json,omitempty"`
	Pair      int      `json:"pair,omitempty"`       // the request of a response, the response to a request
	ElapsedNS int64    `json:"elapsed_ns,omitempty"` // of a response: time since its request
	Verdict   string   `json:"verdict,omitempty"`    // on the exchange of a request or response; see the constants
	Size      int      `json:"size"`
	Preview   string   `json:"preview"` // the beginning of its params or result
	Fault     string   `json:"fault,omitempty"`
	Odd       []string `json:"odd,omitempty"` // JSON-RPC violations
}

// Frames are rows of the timeline, in order.
type Frames struct {
	Frames  []Frame  `json:"frames"`
	First   int      `json:"first"`   // the oldest that is still stored
	Last    int      `json:"last"`    // the newest
	More    bool     `json:"more"`    // more follow
	Methods []string `json:"methods"` // all methods that occur, for filtering
}

// A FrameQuery selects frames.
type FrameQuery struct {
	After  int    `json:"after,omitempty"`
	Limit  int    `json:"limit,omitempty"` // 0 means 1000
	Search string `json:"q,omitempty"`     // text in the body, not case-sensitive
	Side   string `json:"side,omitempty"`
	Method string `json:"method,omitempty"`
	Kind   string `json:"kind,omitempty"`
	Call   int    `json:"call,omitempty"` // those of one call
}

// A FrameDetail is one frame in full.
type FrameDetail struct {
	Frame
	Header  []HeaderLine `json:"header"`          // secrets are placeholders
	Event   string       `json:"event,omitempty"` // of a server-sent event
	EventID string       `json:"event_id,omitempty"`
	Pretty  string       `json:"pretty,omitempty"` // indented JSON; absent if it is not JSON or too large
	Body    string       `json:"body,omitempty"`   // as text; absent if it is larger than the limit of inline text
	Fetch   bool         `json:"fetch,omitempty"`  // the bytes are available at the raw route
}

// A HeaderLine is one header of an HTTP message.
type HeaderLine struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// A NewTranscript is a transcript to open.
type NewTranscript struct {
	Name string `json:"name"`
	Text string `json:"text"` // a file written by --transcript or an export, or an HTTP archive
}

// A StderrLine is one stderr line of a process, as a row of the timeline.
type StderrLine struct {
	N     int       `json:"n"`
	Time  time.Time `json:"time"`           // of its first byte
	After int       `json:"after"`          // the preceding frame; 0 if there is none
	Text  string    `json:"text"`           // without escape sequences; truncated if it is long
	Open  bool      `json:"open,omitempty"` // it may be incomplete
}

// StderrLines are stderr lines, in order.
type StderrLines struct {
	Lines []StderrLine `json:"lines"`
	First int          `json:"first"` // the oldest that is still stored
}
