package workbench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/report"
)

// A CatalogFilter selects tools of a catalog.
type CatalogFilter struct {
	Server     string   `json:"server,omitempty" placeholder:"NAME" jsonschema:"only the tools of this server"`
	Tag        []string `json:"tag,omitempty" placeholder:"TAG" jsonschema:"only tools with this tag; if repeated: with all of them"`
	Annotation []string `json:"annotation,omitempty" placeholder:"NAME[=VALUE]" jsonschema:"only tools with this annotation, such as readOnlyHint"`
}

func (f *CatalogFilter) filter() catalog.Filter {
	return catalog.Filter{Server: f.Server, Tags: f.Tag, Annotations: f.Annotation}
}

// A CatalogListInput is the input of CatalogList.
type CatalogListInput struct {
	StoreInput
	CatalogFilter
	Filter string `json:"filter,omitempty" cli:"optional" jsonschema:"part of a name, or a pattern with * and ?; not case-sensitive"`
}

// A ToolCatalog is a list of catalog tools.
type ToolCatalog struct {
	Tools []catalog.Tool `json:"tools"`
}

// RawJSON returns the tools, one per line, with their JSON unchanged.
func (l *ToolCatalog) RawJSON() []byte {
	var out bytes.Buffer
	out.WriteString(`{"tools":[`)
	for i := range l.Tools {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteByte('\n')
		out.Write((&CatalogTool{Tool: l.Tools[i]}).RawJSON())
	}
	out.WriteString("\n]}")
	return out.Bytes()
}

// CatalogList lists the tools of a catalog.
var CatalogList = Op[CatalogListInput, *ToolCatalog]{
	Uses: Color,
	Name: "catalog list", Doc: "List the tools in a catalog\n\nSorted by server and name. Use --json for all details.",
	Example: "mcptest catalog list --config mcp.json",
	Run: func(ctx context.Context, w *Workbench, in *CatalogListInput) (*ToolCatalog, error) {
		return within(ctx, w, &in.StoreInput, func(s shelf) (*ToolCatalog, error) {
			f := in.filter()
			f.Name = in.Filter
			tools, err := s.list(ctx, f)
			return &ToolCatalog{Tools: append([]catalog.Tool{}, tools...)}, err
		})
	},
	Text: func(out io.Writer, l *ToolCatalog) error {
		t := newText(out)
		for i := range l.Tools {
			t.tool(&l.Tools[i], "")
		}
		t.line(t.dim("%s", plural(len(l.Tools), "tool")))
		return t.err
	},
}

// tool writes a catalog tool in two lines.
func (t *text) tool(tool *catalog.Tool, note string) {
	line := t.bold("%s", tool.Key()) + report.Line(Signature(tool.Parameters)) + "  " + t.dim("v%d", tool.Version)
	if len(tool.Tags) > 0 {
		line += "  " + t.dim("%s", strings.Join(tool.Tags, ", "))
	}
	if tool.Stale {
		line += "  " + t.dim("stale")
	}
	if note != "" {
		line += "  " + note
	}
	t.line(line)
	if first, _, _ := strings.Cut(strings.TrimSpace(tool.Description), "\n"); first != "" {
		t.line("    " + report.Visible(clip.Runes(first, 160)))
	}
}

// A CatalogSearchInput is the input of CatalogSearch.
type CatalogSearchInput struct {
	StoreInput
	CatalogFilter
	Query string   `json:"query" cli:"arg" jsonschema:"what the tool should do, in words; \"words in quotes\" match as a phrase"`
	Also  []string `json:"also,omitempty" placeholder:"QUERY" jsonschema:"additional query; the best matches for each query come first"`
	Limit int      `json:"limit,omitempty" placeholder:"N" jsonschema:"maximum number of tools (default 10)"`
}

// CatalogHits are the tools that a search found, best match first.
type CatalogHits struct {
	Hits []catalog.Hit `json:"hits"`
}

// CatalogSearch finds tools by relevance.
var CatalogSearch = Op[CatalogSearchInput, *CatalogHits]{
	Uses: Color,
	Name: "catalog search", Doc: "Search the tools in a catalog\n\nBest match first, each with a score from 0 to 1 and the matched words.",
	Example: "mcptest catalog search 'hot drink'",
	Run: func(ctx context.Context, w *Workbench, in *CatalogSearchInput) (*CatalogHits, error) {
		return within(ctx, w, &in.StoreInput, func(s shelf) (*CatalogHits, error) {
			f := in.filter()
			f.Limit = in.Limit
			hits, err := s.search(ctx, append([]string{in.Query}, in.Also...), f)
			return &CatalogHits{Hits: append([]catalog.Hit{}, hits...)}, err
		})
	},
	Text: func(out io.Writer, h *CatalogHits) error {
		t := newText(out)
		for i := range h.Hits {
			hit := &h.Hits[i]
			t.tool(&hit.Tool, t.good("%.2f", hit.Score)+"  "+t.dim("%s", strings.Join(hit.Matched, " ")))
		}
		if len(h.Hits) == 0 {
			t.line("no matching tools")
		}
		return t.err
	},
}

// A CatalogNameInput names a catalog tool.
type CatalogNameInput struct {
	StoreInput
	Tool string `json:"tool" cli:"arg" jsonschema:"the tool's name, or server/name"`
}

// A CatalogTool is one tool of a catalog.
type CatalogTool struct {
	catalog.Tool
	did string // the change that was made, for text output
}

// RawJSON returns the tool with its JSON unchanged.
func (t *CatalogTool) RawJSON() []byte {
	raw, err := t.MarshalJSON()
	if err != nil {
		panic(err) // it cannot fail
	}
	return raw
}

// CatalogShow shows one tool.
var CatalogShow = Op[CatalogNameInput, *CatalogTool]{
	Name: "catalog show", Doc: "Show a tool in a catalog\n\nPrints the full definition as JSON, in the format of catalog update.",
	Example: "mcptest catalog show kitchen/brew_tea",
	Run: func(ctx context.Context, w *Workbench, in *CatalogNameInput) (*CatalogTool, error) {
		return within(ctx, w, &in.StoreInput, func(s shelf) (*CatalogTool, error) {
			tool, err := s.find(ctx, in.Tool)
			return &CatalogTool{Tool: tool}, err
		})
	},
	Text: func(out io.Writer, tool *CatalogTool) error {
		t := newText(out)
		t.json(tool.RawJSON())
		return t.err
	},
}

func writeDid(out io.Writer, tool *CatalogTool) error {
	_, err := fmt.Fprintf(out, "%s %s, version %d\n", tool.did, report.Visible(tool.Key().String()), tool.Version)
	return err
}
