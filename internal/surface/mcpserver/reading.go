package mcpserver

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/connections"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

func readResource() tool {
	return tool{
		name: "read_resource", open: true,
		doc: "Reads a resource; content that is not text is base64.",
		input: closed("", need("uri", text("URI, as in list_resources.", maxText)),
			onConnection(), withTimeout(), withVerbosity()),
		output: outputSchema(part("resource")),
		run: func(ctx context.Context, c *call) (any, error) {
			in := decode[readInput](c)
			l, err := c.on(in.Connection)
			if err != nil {
				return nil, err
			}
			mark := l.Log.Len()
			request := calls.Call{Method: calls.Resource, Name: in.URI}
			run := l.Begin(request.Request(l.Session), time.Duration(in.TimeoutMS)*time.Millisecond)
			return c.await(ctx, run, &reading{in: in, link: l, request: request, run: run, mark: mark})
		},
	}
}

type readInput struct {
	URI, Connection string
	Verbosity       verbosity
	TimeoutMS       int64 `json:"timeout_ms"`
}

// A resource describes a resource in a result.
type resource struct {
	URI      string          `json:"uri"`
	MIMEType string          `json:"mimeType"`
	Content  *string         `json:"content,omitempty"`
	Encoding string          `json:"encoding,omitempty"`
	Contents json.RawMessage `json:"contents,omitempty"`
	Raw      json.RawMessage `json:"raw,omitempty"`
	Cut      string          `json:"cut,omitempty"`
	Pending  *pending        `json:"pending,omitempty"`
}

// A readResponse is the result of read_resource.
type readResponse struct {
	Success    bool      `json:"success"`
	Connection reference `json:"connection"`
	Resource   resource  `json:"resource"`
	Frames     []frame   `json:"frames,omitempty"`
	Metadata   struct {
		RetrievedAt   string `json:"retrieved_at"`
		RequestTimeMS int64  `json:"request_time_ms"`
		ContentSize   int    `json:"content_size"`
	} `json:"metadata"`
}

// A reading is a resources/read request in flight.
type reading struct {
	in      readInput
	link    *connections.Link
	request calls.Call
	run     *connections.Running
	mark    int
}

func (r *reading) pend(c *call, p *pending) any {
	return r.result(c, resource{URI: r.in.URI, Pending: p}, 0)
}

func (r *reading) result(c *call, shown resource, size int) readResponse {
	out := readResponse{Success: true, Connection: reached(r.link), Resource: shown}
	out.Metadata.RetrievedAt, out.Metadata.RequestTimeMS, out.Metadata.ContentSize = stamp(time.Now()), c.elapsed(),
		size
	if r.in.Verbosity == full {
		out.Frames = framesSince(r.link, r.mark)
	}
	return out
}

func (r *reading) finish(ctx context.Context, c *call, ex *mcp.Exchange, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	verdict, result := r.request.Evaluate(r.link.Session, ex), ex.Reply.Result
	c.checked(verdict.Remarks())
	if verdict.RPC != nil {
		return nil, r.refused(ctx, verdict)
	}
	r.link.ResourcesRead.Add(1)
	if verdict.Failed() {
		f := malformed(verdict)
		f.Details["result"], _ = bounded(result, ex.Reply.Frame.Seq, brief)
		return nil, f
	}
	contents, _ := schema.Get(result, "/contents")
	parts, _ := schema.Elements(contents)
	shown, size := resource{URI: r.in.URI}, 0
	if len(parts) > 0 {
		shown, size = r.first(parts[0])
	}
	raw, cut := bounded(result, ex.Reply.Frame.Seq, r.in.Verbosity)
	if cut != "" && shown.Content != nil {
		part := clip.Text(*shown.Content, r.in.Verbosity.textLimit())
		shown.Content = &part
	}
	if shown.Cut = cut; r.in.Verbosity == full {
		shown.Raw = raw
	}
	if all, ok := schema.Get(raw, "/contents"); ok && len(parts) > 1 {
		shown.Contents = all
	}
	return r.result(c, shown, size), nil
}

// first shows the first part of a resource.
func (r *reading) first(part json.RawMessage) (resource, int) {
	shown := resource{URI: r.in.URI, MIMEType: schema.TextAt(part, "/mimeType")}
	if uri := schema.TextAt(part, "/uri"); uri != "" {
		shown.URI = uri
	}
	if raw, ok := schema.Get(part, "/text"); ok {
		content, _ := schema.Text(raw)
		shown.Content, shown.Encoding = &content, "text"
		return shown, len(content)
	}
	blob, ok := schema.Get(part, "/blob")
	if !ok {
		return shown, 0
	}
	content, _ := schema.Text(blob)
	shown.Content, shown.Encoding = &content, "base64"
	return shown, max(0, decodedSize(blob))
}

// codeNoResource is the error code for an unknown resource in revisions up to 2025-11-25.
const codeNoResource = -32002

// refused converts a server's error to a failure. The only parameter is the URI, so that invalid params mean
// the URI; any other code counts as not found if the server neither lists the URI nor has a template for it.
func (r *reading) refused(ctx context.Context, verdict *calls.Verdict) *failure {
	e, d := verdict.RPC, details{"uri": r.in.URI}
	describeRPC(d, e)
	f := &failure{Type: executionError, Message: "the server responded with " + e.Error(), Details: d,
		Suggestion: "use get_transcript to see the messages"}
	if e.Code == codeNoResource || e.Code == mcp.CodeInvalidParams || !r.known(ctx) {
		f.Type, f.Suggestion = resourceNotFound, "use list_resources and list_resource_templates to see the "+
			"available resources"
	}
	return f
}

// known reports whether the server lists the resource, or has a template for it.
func (r *reading) known(ctx context.Context) bool {
	listed, err := r.link.Session.List(ctx, "resources/list")
	if err != nil {
		return true // unknown
	}
	if _, ok := listed.Find(r.in.URI); ok {
		return true
	}
	templates, err := r.link.Session.List(ctx, "resources/templates/list")
	if err != nil {
		return true
	}
	for _, t := range templates.Items {
		if fits(t.Name, r.in.URI) {
			return true
		}
	}
	return false
}

// expression matches a variable part of a URI template.
var expression = lazyregexp.New(`\{[^}]*\}`)

// fits reports whether a URI could come from a template: its fixed parts appear in the URI in order.
func fits(template, uri string) bool {
	var parts []string
	for _, fixed := range expression().Split(template, -1) {
		parts = append(parts, regexp.QuoteMeta(fixed))
	}
	pattern, err := regexp.Compile("^" + strings.Join(parts, ".*") + "$")
	return err == nil && pattern.MatchString(uri)
}
