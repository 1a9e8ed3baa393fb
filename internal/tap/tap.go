// Package tap passes bytes between an MCP client and a server unchanged, and records them.
//
// Passing on and recording are separate: the relay puts copies into a bounded queue and never waits for the
// recorder. A slow or full disk loses parts of the recording, which the recording notes, and never traffic.
package tap

import (
	"encoding/json"
	"io"
	"os"
	"time"

	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/tap/fault"
)

// Options configure a recording.
type Options struct {
	Dir     string          // the folder of all recordings
	Version string          // of mcptest
	Name    string          // the name of the server that the user gave; may be empty
	Command []string        // of a stdio server
	URL     string          // of an HTTP server
	Secrets *redact.Secrets // values to redact; nil redacts nothing, neither by name nor by format
	Faults  *fault.Plan     // faults to inject; nil passes everything on unchanged
	Report  io.Writer       // where the report of the faults is written at the end

	maxFaulty int // bytes of the largest HTTP message that can have a fault; 0 means maxMessage
}

// A Session describes a recording. It is stored next to the frames.
type Session struct {
	ID       string     `json:"id"`
	Mcptest  string     `json:"mcptest"`
	Name     string     `json:"name,omitempty"`
	Command  []string   `json:"command,omitempty"`
	URL      string     `json:"url,omitempty"`
	Dir      string     `json:"cwd,omitempty"`
	PID      int        `json:"pid"`              // of tap
	Parent   *Process   `json:"parent,omitempty"` // of the process that started tap: the client, over stdio
	Started  time.Time  `json:"started"`
	Ended    *time.Time `json:"ended,omitempty"` // absent while tap runs, and if it was killed
	Exit     *Exit      `json:"exit,omitempty"`  // of a stdio server
	Clients  []Peer     `json:"clients"`
	Server   *Peer      `json:"server,omitempty"`
	Frames   int        `json:"frames"` // of both sides, also those that were not recorded
	Requests int        `json:"requests"`
	Errors   int        `json:"errors"`            // error responses, and tool results with isError
	Pending  int        `json:"pending,omitempty"` // requests without a response
	Bytes    int64      `json:"bytes"`             // of the recording
	Redacted bool       `json:"redacted"`          // secrets are replaced by placeholders
	Lost     *Loss      `json:"lost,omitempty"`
	Faults   *Faults    `json:"faults,omitempty"` // of a session with faults
}

// Faults are the faults of a session.
type Faults struct {
	Seed         uint64            `json:"seed"`
	Rules        []string          `json:"rules"`
	Count        int               `json:"count"`                   // of the injected ones
	Injected     []fault.Injection `json:"injected"`                // the first ones
	ClientClosed *time.Time        `json:"client_closed,omitempty"` // when the client closed its end of stdio
	ClientExited bool              `json:"client_exited,omitempty"` // its process had ended then
}

// maxInjected is how many injected faults the description of a session lists.
const maxInjected = 1000

// A Peer is a client or a server, as it introduced itself.
type Peer struct {
	Name         string          `json:"name"`
	Version      string          `json:"version,omitempty"`
	Protocol     string          `json:"protocol,omitempty"`
	Capabilities json.RawMessage `json:"capabilities,omitempty"`
}

// A Process is a running program.
type Process struct {
	PID  int    `json:"pid"`
	Name string `json:"name,omitempty"`
}

// An Exit is how a server process ended.
type Exit struct {
	Code   int    `json:"code"`
	Signal string `json:"signal,omitempty"`
}

// A Loss is what a recording lacks, and the last reason.
type Loss struct {
	Frames int    `json:"frames,omitempty"`
	Bytes  int64  `json:"bytes"`
	Reason string `json:"reason"`
}

// Running reports whether the tap of a session still runs.
func (s *Session) Running() bool { return s.Ended == nil && s.PID > 0 && alive(s.PID) }

// parent returns the process that started this one.
func parent() *Process {
	pid := os.Getppid()
	if pid <= 1 {
		return nil
	}
	return &Process{PID: pid, Name: processName(pid)}
}
