package calls

import (
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// The results of checking structured content against the output schema of the tool.
const (
	OutputNone      = "none" // nothing was declared, or nothing has to be checked
	OutputValid     = "valid"
	OutputInvalid   = "invalid"
	OutputUnchecked = "unchecked"
)

// A Verdict is the assessment of the response to a call.
type Verdict struct {
	RPC        *mcp.RPCError      // the server responded with an error
	IsError    bool               // the tool returned an error
	Problems   []Problem          // what is malformed in the response
	Output     string             // of the check against the output schema
	Mismatches []schema.Violation // where structured content violates the output schema
	Unchecked  string             // why structured content could not be checked
	Notices    []string           // notices of the session during the call; not part of the response
}

// A Problem is one malformed value of a response.
type Problem struct {
	Pointer string // JSON Pointer into the result; empty for the message or the whole result
	Message string // what was found and what was expected there
}

// String returns the location and the problem.
func (p Problem) String() string {
	if p.Pointer == "" {
		return p.Message
	}
	return schema.Label(p.Pointer) + ": " + p.Message
}

// The kinds of remarks.
const (
	KindError     = "error"     // JSON-RPC error
	KindToolError = "isError"   // the tool reports an error
	KindMalformed = "malformed" // the response violates the protocol
	KindOutput    = "output"    // structured content violates the output schema
	KindUnchecked = "unchecked" // structured content could not be checked
	KindNotice    = "notice"    // noticed during the call
)

// A Remark is one statement about the response to a call.
type Remark struct {
	Kind    string `json:"kind"`
	Pointer string `json:"pointer,omitempty"` // into the result, or into structured content
	Message string `json:"message"`
}

// Fails reports whether the remark makes the call fail.
func (r Remark) Fails() bool { return r.Kind != KindUnchecked && r.Kind != KindNotice }

// Failed reports whether the call counts as failed: the server or the tool reports an error, the response is malformed,
// or structured content violates the output schema.
func (v *Verdict) Failed() bool {
	return v.RPC != nil || v.IsError || len(v.Problems) > 0 || len(v.Mismatches) > 0
}

// Remarks lists all remarks about the response, in the same order everywhere.
func (v *Verdict) Remarks() []Remark {
	all := []Remark{}
	if v.RPC != nil {
		all = append(all, Remark{Kind: KindError, Message: v.RPC.Error()})
	}
	for _, p := range v.Problems {
		all = append(all, Remark{KindMalformed, p.Pointer, p.String()})
	}
	if v.IsError {
		all = append(all, Remark{Kind: KindToolError, Message: "the tool returned an error (isError)"})
	}
	for _, m := range v.Mismatches {
		all = append(all, Remark{KindOutput, m.Path, "output schema: " + m.Message})
	}
	if v.Unchecked != "" {
		all = append(all, Remark{Kind: KindUnchecked, Message: v.Unchecked})
	}
	for _, n := range v.Notices {
		all = append(all, Remark{Kind: KindNotice, Message: n})
	}
	return all
}
