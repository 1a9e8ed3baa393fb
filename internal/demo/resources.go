package demo

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

const (
	noteURI        = "demo://note"
	planetTemplate = "demo://planets/{name}"
	squareTemplate = "demo://squares/{color}.png"
)

// A sample is a resource that never changes: text, or data when text is empty.
type sample struct {
	uri, name, title, description, mime string
	text                                string
	data                                func() []byte
}

// samples returns the fixed resources by name.
func samples() map[string]sample {
	list := []sample{
		{uri: "demo://welcome", name: "welcome", title: "Welcome", mime: "text/markdown",
			description: "A short introduction to this server.",
			text:        "# Welcome\n\nThis server supports every MCP feature. Try the tool `echo` first.\n"},
		{uri: "demo://planets", name: "planets", title: "Planets", mime: "application/json",
			description: "The planets of the solar system, from the innermost to the outermost.",
			text:        string(serve.Encode(planets()))},
		{uri: "demo://planets.csv", name: "planets-csv", title: "Planets as a table", mime: "text/csv",
			description: "The planets as comma-separated values.",
			text:        "name\n" + strings.Join(planets(), "\n") + "\n"},
		{uri: "demo://square", name: "square", title: "Square", mime: "image/png",
			description: "A small red square.", data: func() []byte { return square(colors()["red"]) }},
		{uri: "demo://tone", name: "tone", title: "Tone", mime: "audio/wav",
			description: "A 0.2-second tone at concert pitch.", data: func() []byte { return tone(440, 200) }},
		{uri: "demo://bytes", name: "bytes", title: "Bytes", mime: "application/octet-stream",
			description: "Every byte value once, in order.", data: everyByte},
	}
	byName := make(map[string]sample, len(list))
	for _, s := range list {
		byName[s.name] = s
	}
	return byName
}

func planets() []string {
	return []string{"Mercury", "Venus", "Earth", "Mars", "Jupiter", "Saturn", "Uranus", "Neptune"}
}

func everyByte() []byte {
	b := make([]byte, 256)
	for i := range b {
		b[i] = byte(i)
	}
	return b
}

func (s sample) contents() *mcp.ResourceContents {
	c := &mcp.ResourceContents{URI: s.uri, MIMEType: s.mime, Text: s.text}
	if s.data != nil {
		c.Blob = s.data()
	}
	return c
}

func (c *clean) addResources() {
	for _, s := range samples() {
		c.server.AddResource(&mcp.Resource{URI: s.uri, Name: s.name, Title: s.title, Description: s.description,
			MIMEType: s.mime},
			func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				return read(s.contents()), nil
			})
	}
	c.server.AddResource(&mcp.Resource{URI: noteURI, Name: "note", Title: "Note", MIMEType: "text/plain",
		Description: "A text that the tool write_note replaces. Subscribe to receive updates."}, c.readNote)
	c.server.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: planetTemplate, Name: "planet", Title: "Planet",
		MIMEType: "text/plain", Description: "A sentence about one planet."}, readPlanet)
	c.server.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: squareTemplate, Name: "square-of",
		Title:    "Color square",
		MIMEType: "image/png", Description: "A small square of the given color."}, readSquare)
}

func read(contents *mcp.ResourceContents) *mcp.ReadResourceResult {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{contents}}
}

func (c *clean) readNote(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return read(&mcp.ResourceContents{URI: noteURI, MIMEType: "text/plain", Text: c.note}), nil
}

func readPlanet(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri := req.Params.URI
	name := strings.TrimPrefix(uri, "demo://planets/")
	i := slices.Index(planets(), name)
	if i < 0 {
		return nil, mcp.ResourceNotFoundError(uri)
	}
	return read(&mcp.ResourceContents{URI: uri, MIMEType: "text/plain",
		Text: fmt.Sprintf("%s is planet %d from the sun.", name, i+1)}), nil
}

func readSquare(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri := req.Params.URI
	c, ok := colors()[strings.TrimSuffix(strings.TrimPrefix(uri, "demo://squares/"), ".png")]
	if !ok {
		return nil, mcp.ResourceNotFoundError(uri)
	}
	return read(&mcp.ResourceContents{URI: uri, MIMEType: "image/png", Blob: square(c)}), nil
}

// exists reports whether a resource can be read.
func exists(uri string) bool {
	if uri == noteURI {
		return true
	}
	for _, s := range samples() {
		if s.uri == uri {
			return true
		}
	}
	name, ok := strings.CutPrefix(uri, "demo://planets/")
	return ok && slices.Contains(planets(), name)
}

func subscribe(_ context.Context, req *mcp.SubscribeRequest) error {
	if !exists(req.Params.URI) {
		return serve.NotFound(req.Params.URI, serve.IsModern(req.Session))
	}
	return nil
}

func unsubscribe(context.Context, *mcp.UnsubscribeRequest) error { return nil }

// cacheable sets how long a result may be cached. Lists can change at any time, the samples never do.
func cacheable(_ context.Context, req mcp.Request, c *mcp.Cacheable) {
	c.TTLMs, c.CacheScope = 0, "public"
	if p, ok := req.GetParams().(*mcp.ReadResourceParams); ok && p.URI != noteURI {
		c.TTLMs = 60_000
	}
}
