package view

import "time"

// The states of a link.
const (
	Connecting = "connecting"
	Open       = "open"
	Failed     = "failed"  // it could not be opened
	Closed     = "closed"  // by us, or the server disconnected
	Expired    = "expired" // the server does not recognize the HTTP session
	Offline    = "offline" // an imported transcript
)

// A Link is one connection, or a transcript of one.
type Link struct {
	ID     string   `json:"id"`
	Name   string   `json:"name"`
	Server string   `json:"server,omitempty"` // the id of the entry
	State  string   `json:"state"`
	Error  *Problem `json:"error,omitempty"`

	Recording bool   `json:"recording,omitempty"` // of a session between other programs
	Address   string `json:"address"`
	Transport string `json:"transport,omitempty"` // stdio, http, sse, in-process
	Insecure  bool   `json:"insecure,omitempty"`
	Protocol  string `json:"protocol,omitempty"` // the requested revision; empty means the newest
	LogLevel  string `json:"log_level,omitempty"`

	Era                    string   `json:"era,omitempty"`
	Version                string   `json:"version,omitempty"`
	Why                    string   `json:"why,omitempty"`
	ServerName             string   `json:"server_name,omitempty"`
	ServerTitle            string   `json:"server_title,omitempty"`
	ServerVersion          string   `json:"server_version,omitempty"`
	ServerJSON             string   `json:"server_json,omitempty"`
	CapabilitiesJSON       string   `json:"capabilities_json,omitempty"`
	ClientCapabilitiesJSON string   `json:"client_capabilities_json,omitempty"`
	Declares               []string `json:"declares"` // tools, resources, prompts, completions, logging, tasks …
	Instructions           string   `json:"instructions,omitempty"`

	Since         time.Time           `json:"since"`               // when it was requested
	OpenedNS      int64               `json:"opened_ns,omitempty"` // how long opening took
	Counts        Counts              `json:"counts"`
	Questions     []Question          `json:"questions"`
	Subscriptions []Subscription      `json:"subscriptions"`
	Notices       []ProtocolViolation `json:"notices"` // protocol violations, the latest hundred
	Changes       *SurfaceSummary     `json:"changes,omitempty"`
}

// Counts are the numbers of items of a link.
type Counts struct {
	Frames  int `json:"frames"`
	Calls   int `json:"calls"`
	Running int `json:"running"`
	Notices int `json:"notices"`
	Logs    int `json:"logs"`
	Stderr  int `json:"stderr"` // bytes so far
}

// A ProtocolViolation is a protocol violation that was detected in a frame.
type ProtocolViolation struct {
	Text  string `json:"text"`
	Frame int    `json:"frame,omitempty"`
}

// A Subscription is a subscribed resource.
type Subscription struct {
	URI     string     `json:"uri"`
	State   string     `json:"state"` // opening, open, ended
	Updates int        `json:"updates"`
	Last    *time.Time `json:"last,omitempty"`
	Problem *Problem   `json:"problem,omitempty"`
}

// Links are all links, oldest first.
type Links struct {
	Links []Link `json:"links"`
}

// A NewLink requests a connection to a server.
type NewLink struct {
	Server    string `json:"server"`
	Name      string `json:"name,omitempty"`
	Protocol  string `json:"protocol,omitempty"` // auto, or a revision
	LogLevel  string `json:"log_level,omitempty"`
	TimeoutMS int    `json:"timeout_ms,omitempty"`
	Insecure  bool   `json:"insecure,omitempty"` // accept any TLS certificate
	// the extensions to declare: short names separated by commas, or none; empty for all
	Extensions string `json:"extensions,omitempty"`
}

// A LogEntry is a log message of the server.
type LogEntry struct {
	Time     time.Time `json:"time"`
	Level    string    `json:"level"`
	Logger   string    `json:"logger,omitempty"`
	Text     string    `json:"text"`
	DataJSON string    `json:"data_json,omitempty"`
	Frame    int       `json:"frame"`
}

// Logs are the log messages of a link, the latest thousand.
type Logs struct {
	Entries []LogEntry `json:"entries"`
}

// Stderr is the last stderr output of a process.
type Stderr struct {
	Text  string `json:"text"`
	Total int    `json:"total"` // bytes so far
}

// A Root is a directory that we expose to servers.
type Root struct {
	URI  string `json:"uri"`
	Name string `json:"name,omitempty"`
}

// Roots is the result of roots/list.
type Roots struct {
	Roots []Root `json:"roots"`
}

// A SurfaceSummary counts what changed in a server since the user last connected.
type SurfaceSummary struct {
	Since      time.Time `json:"since"` // when the old state was seen
	Items      int       `json:"items"` // changed tools, prompts, resources and templates
	Breaking   int       `json:"breaking"`
	Suspicious int       `json:"suspicious"`
}
