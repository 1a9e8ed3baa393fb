package serve

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// AsRevision removes from a result what the client's revision does not support.
func AsRevision(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		session, ok := req.GetSession().(*mcp.ServerSession)
		if err != nil || !ok || IsModern(session) || session.InitializeParams() == nil {
			return res, err
		}
		revision := Negotiate(session.InitializeParams().ProtocolVersion)
		switch r := res.(type) {
		case *mcp.CallToolResult:
			return olderResult(r, revision), nil
		case *mcp.ListToolsResult:
			return &uncached{Tools: list(r.Tools, revision, olderTool), NextCursor: r.NextCursor}, nil
		case *mcp.ListResourcesResult:
			return &uncached{Resources: list(r.Resources, revision, olderResource), NextCursor: r.NextCursor}, nil
		case *mcp.ListResourceTemplatesResult:
			return &uncached{Templates: list(r.ResourceTemplates, revision, olderTemplate), NextCursor: r.NextCursor},
				nil
		case *mcp.ListPromptsResult:
			return &uncached{Prompts: list(r.Prompts, revision, olderPrompt), NextCursor: r.NextCursor}, nil
		case *mcp.ReadResourceResult:
			return &uncached{Contents: &r.Contents}, nil
		}
		return res, nil
	}
}

// An uncached is a result without the cache hints that the SDK writes in every revision. One of the lists is
// set.
type uncached struct {
	mcp.ResultBase
	Tools      *[]*mcp.Tool             `json:"tools,omitempty"`
	Resources  *[]*mcp.Resource         `json:"resources,omitempty"`
	Templates  *[]*mcp.ResourceTemplate `json:"resourceTemplates,omitempty"`
	Prompts    *[]*mcp.Prompt           `json:"prompts,omitempty"`
	Contents   *[]*mcp.ResourceContents `json:"contents,omitempty"`
	NextCursor string                   `json:"nextCursor,omitempty"`
}

// list copies items, each in the form of the revision.
func list[T any](items []*T, revision string, older func(T, string) T) *[]*T {
	out := make([]*T, len(items))
	for i, item := range items {
		v := older(*item, revision)
		out[i] = &v
	}
	return &out
}

func olderTool(t mcp.Tool, revision string) mcp.Tool {
	has := spec.Of(revision).Tool
	if !has.Title {
		t.Title = ""
	}
	if has.OutputSchema == spec.NoOutput {
		t.OutputSchema = nil
	}
	if !has.Annotations {
		t.Annotations = nil
	}
	return t
}

func olderResource(r mcp.Resource, revision string) mcp.Resource {
	if !spec.Of(revision).Titles {
		r.Title = ""
	}
	return r
}

func olderTemplate(t mcp.ResourceTemplate, revision string) mcp.ResourceTemplate {
	if !spec.Of(revision).Titles {
		t.Title = ""
	}
	return t
}

func olderPrompt(p mcp.Prompt, revision string) mcp.Prompt {
	if spec.Of(revision).Titles {
		return p
	}
	p.Title = ""
	arguments := make([]*mcp.PromptArgument, len(p.Arguments))
	for i, a := range p.Arguments {
		arguments[i] = &mcp.PromptArgument{Name: a.Name, Description: a.Description, Required: a.Required}
	}
	p.Arguments = arguments
	return p
}

// olderResult replaces content that the revision does not support by the closest equivalent.
func olderResult(r *mcp.CallToolResult, revision string) *mcp.CallToolResult {
	if spec.Of(revision).Links {
		return r
	}
	copied := *r
	copied.StructuredContent = nil
	copied.Content = make([]mcp.Content, len(r.Content))
	for i, block := range r.Content {
		copied.Content[i] = olderContent(block, revision)
	}
	return &copied
}

func olderContent(block mcp.Content, revision string) mcp.Content {
	switch c := block.(type) {
	case *mcp.ResourceLink:
		return &mcp.TextContent{Text: c.Title + ": " + c.URI}
	case *mcp.AudioContent:
		if !spec.Of(revision).Audio {
			return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "demo://tone", MIMEType: c.MIMEType,
				Blob: c.Data}}
		}
	}
	return block
}
