// Package spec contains the revisions of the Model Context Protocol as data.
//
// It defines what each revision specifies; the engines check servers against it.
package spec

// A Revision is one published version of the protocol.
type Revision struct {
	ID      string // the date that identifies it in the protocol
	Era     Era
	Dialect string // the JSON Schema dialect of a tool schema without $schema
	Tool    Tool

	Titles          bool             // resources, templates, prompts and their arguments have titles
	Audio           bool             // content may be audio
	Links           bool             // content may be links to resources
	Batches         bool             // a message may be an array of messages
	Completions     bool             // completions are a capability
	StreamableHTTP  bool             // the transport that replaces HTTP with SSE
	VersionHeader   bool             // HTTP requests name the revision
	OriginStatus    bool             // the status for a forbidden Origin is defined: 403
	WellKnownAuth   bool             // the metadata of the resource may be found without a challenge
	Elicitation     ElicitationModes // what a server can request from the user
	CoreTasks       bool             // tasks are part of the protocol, not an extension
	ErrorsWithoutID bool             // an error response to a message without a readable id has none
}

// An ElicitationModes defines how a server can request input of the user.
type ElicitationModes int

// The modes of elicitation.
const (
	NoElicitation      ElicitationModes = iota // it does not exist
	FormElicitation                            // by a form
	FormURLElicitation                         // by a form or a URL, which clients declare
)

// A Tool defines which fields a tool definition has in a revision, and their shape.
type Tool struct {
	Annotations  bool
	Title        bool // title and _meta were added together
	OutputSchema OutputShape
	Icons        bool
	Execution    bool // execution.taskSupport, of the experimental tasks
	NameRules    bool // the revision defines which characters a name should have
	AnyInput     bool // properties may be boolean schemas, and any keyword is allowed at the root
	Headers      bool // x-mcp-header mirrors an argument into an HTTP header
}

// An OutputShape defines what a tool's outputSchema may be.
type OutputShape int

// The shapes of an outputSchema.
const (
	NoOutput     OutputShape = iota // the field does not exist
	ObjectOutput                    // its root must have type object
	AnyOutput                       // any JSON Schema
)

// The default dialects of the revisions.
const (
	Draft07      = "http://json-schema.org/draft-07/schema#"
	Draft2020_12 = "https://json-schema.org/draft/2020-12/schema"
)

// Newest is the default revision for checking a file.
func Newest() Revision { return revisions[len(revisions)-1] }

// Find returns the revision with the ID.
func Find(id string) (Revision, bool) {
	for i := range revisions {
		if revisions[i].ID == id {
			return revisions[i], true
		}
	}
	return Revision{}, false
}

// Of returns the properties of a revision. Revisions are dates: an unknown one has those of the revision before it, or
// of the first one.
func Of(id string) Revision {
	r := *of(id)
	r.ID = id
	return r
}

func of(id string) *Revision {
	at := 0
	for i := range revisions {
		if revisions[i].ID <= id {
			at = i
		}
	}
	return &revisions[at]
}

// IDs lists the IDs of the revisions, oldest first.
func IDs() []string {
	var ids []string
	for _, r := range revisions {
		ids = append(ids, r.ID)
	}
	return ids
}

// Before reports whether r is older than the revision with the ID. IDs are dates, so they sort as strings.
func (r Revision) Before(id string) bool { return r.ID < id }

// URL returns the URL of a page of the revision, such as "server/tools#tool-names".
func (r Revision) URL(page string) string { return URL(r.ID, page) }

// URL returns the URL of a page of the revision with the ID.
func URL(id, page string) string {
	return "https://modelcontextprotocol.io/specification/" + id + "/" + page
}
