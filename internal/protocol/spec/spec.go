// Package spec contains the revisions of the Model Context Protocol as data.
//
// It defines what each revision specifies; the engines check servers against it.
package spec

// A Revision is one published version of the protocol.
type Revision struct {
	ID      string // the date that identifies it in the protocol
	Dialect string // the JSON Schema dialect of a tool schema without $schema
	Tool    Tool
}

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

// Revisions lists the final revisions, oldest first.
func Revisions() []Revision {
	return []Revision{
		{ID: "2024-11-05", Dialect: Draft07},
		{ID: "2025-03-26", Dialect: Draft07, Tool: Tool{Annotations: true}},
		{ID: "2025-06-18", Dialect: Draft07, Tool: Tool{Annotations: true, Title: true, OutputSchema: ObjectOutput}},
		{ID: "2025-11-25", Dialect: Draft2020_12, Tool: Tool{
			Annotations: true, Title: true, OutputSchema: ObjectOutput, Icons: true, Execution: true, NameRules: true,
		}},
		{ID: "2026-07-28", Dialect: Draft2020_12, Tool: Tool{
			Annotations: true, Title: true, OutputSchema: AnyOutput, Icons: true, NameRules: true, AnyInput: true, Headers: true,
		}},
	}
}

// Newest is the default revision for checking a file.
func Newest() Revision {
	all := Revisions()
	return all[len(all)-1]
}

// Find returns the revision with the ID.
func Find(id string) (Revision, bool) {
	for _, r := range Revisions() {
		if r.ID == id {
			return r, true
		}
	}
	return Revision{}, false
}

// IDs lists the IDs of the revisions, oldest first.
func IDs() []string {
	var ids []string
	for _, r := range Revisions() {
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
