package timeline

import (
	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/har"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// maxValidated is the size up to which a result is compared with its revision.
const maxValidated = 1 << 20

// verdict returns whether an exchange succeeded; if not, why.
func (t *Timeline) verdict(m *mcp.Message, asked *view.Frame) string {
	if asked.Method == "initialize" {
		if revision, known := spec.Find(schema.TextAt(m.Result, "/protocolVersion")); known {
			t.revisions[har.ConnOf(m.Frame)] = revision
		}
	}
	if asked.Method == calls.Tool && calls.IsError(m.Result) {
		return view.ToolError
	}
	if problem := t.malformed(m, asked); problem != "" {
		return view.Malformed + ": " + clip.Text(problem, 200)
	}
	return view.Succeeded
}

// malformed returns the first violation of the revision in a result of the server; empty if there is none, or if the
// revision is not known.
func (t *Timeline) malformed(m *mcp.Message, asked *view.Frame) string {
	if m.Frame.From != wire.Server || len(m.Result) > maxValidated {
		return ""
	}
	revision, known := t.revisionOf(m.Frame, asked.Seq)
	if !known {
		return ""
	}
	for _, p := range calls.Malformed(revision, asked.Method, m.Result) {
		if !calls.AboutCaching(p.Pointer) {
			return p.String()
		}
	}
	return ""
}

// revisionOf returns the revision of a response: that of its request, otherwise that of the handshake on its
// connection.
func (t *Timeline) revisionOf(response wire.Frame, request int) (spec.Revision, bool) {
	if f, found := t.log.Frame(request); found {
		m := mcp.Read(f)
		stated := schema.TextAt(m.Params, "/_meta/io.modelcontextprotocol~1protocolVersion")
		if stated == "" {
			stated = f.Header.Get("Mcp-Protocol-Version")
		}
		if revision, known := spec.Find(stated); known {
			return revision, true
		}
	}
	revision, known := t.revisions[har.ConnOf(response)]
	return revision, known
}
