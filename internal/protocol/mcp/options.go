package mcp

import (
	"context"
	"encoding/json"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/timeout"
)

// Options configure a session. The zero value is a client that requests the newest revision and supports no
// server requests.
type Options struct {
	Protocol string         // Auto (or empty), or a revision
	Client   Implementation // our client information

	// The client capabilities. A nil handler is a capability that is not declared.
	Roots       func(ctx context.Context) (json.RawMessage, error)                         // the result of roots/list
	Sampling    func(ctx context.Context, params json.RawMessage) (json.RawMessage, error) // of sampling/createMessage
	Elicitation func(ctx context.Context, params json.RawMessage) (json.RawMessage, error) // of elicitation/create
	// we support long-running tasks
	Tasks bool
	// the other extensions that we support: settings by ID; see AllExtensions
	Extensions map[string]json.RawMessage

	// FailUnmatched fails a request immediately when a response arrives for it that does not have its ID.
	// Otherwise such a response is only recorded, and the request waits until its timeout.
	FailUnmatched bool

	// OnExpired is called when a request failed because its HTTP session has expired, and no new one was
	// started: the session cannot be used until the caller connects again. It must not use the session and
	// wait.
	OnExpired func()

	Bare bool // no handshake: the first message is the caller's

	LogLevel       string            // request log messages of this level and above
	OnNotification func(Message)     // called for every notification, in order; it must not call the session and wait
	OnNotice       func(Notice)      // called for every detected violation; it must not use the session
	Timeout        time.Duration     // request timeout; 0 means timeout.Default
	Header         map[string]string // additional headers for each HTTP request
}

// An Implementation identifies a client or a server.
type Implementation struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Title   string `json:"title,omitempty"`
}

// A Notice is a protocol violation that was detected.
type Notice struct {
	Text  string
	Frame int // its number in the transcript
}

const (
	streamGrace = 500 * time.Millisecond // for the header of the GET stream
)

func (o *Options) timeout() time.Duration { return timeout.Or(o.Timeout) }

// capabilities declares the capabilities of the handlers, in the format of the era.
func (o *Options) capabilities(revision string) json.RawMessage {
	var roots, sampling, elicitation, tasks json.RawMessage
	if o.Roots != nil {
		roots = json.RawMessage(`{}`)
	}
	if o.Sampling != nil {
		sampling = json.RawMessage(`{}`)
	}
	switch modes := spec.Of(revision).Elicitation; {
	case o.Elicitation == nil, modes == spec.NoElicitation:
	case modes == spec.FormElicitation:
		elicitation = json.RawMessage(`{}`)
	default:
		elicitation = json.RawMessage(`{"form":{},"url":{}}`)
	}
	if o.Tasks && spec.Of(revision).CoreTasks {
		tasks = o.receiverCapabilities()
	}
	return Object("roots", orNil(roots), "sampling", orNil(sampling), "elicitation", orNil(elicitation),
		"tasks", orNil(tasks), "extensions", orNil(o.extensions(revision)))
}

// orNil keeps an absent value absent: a nil json.RawMessage in an interface is not nil.
func orNil(raw json.RawMessage) any {
	if raw == nil {
		return nil
	}
	return raw
}
