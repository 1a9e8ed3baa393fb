package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/quarantine"
	"github.com/mcptest-dev/mcptest/internal/protocol/arguments"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
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

	waiting []quarantine.Item // definitions that wait for an approval
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
	out.WriteString("\n]")
	if len(l.waiting) > 0 {
		raw, err := json.Marshal(l.waiting)
		if err != nil {
			panic(err) // it cannot fail
		}
		out.WriteString(",\n\"quarantined\":")
		out.Write(raw)
	}
	out.WriteString("}")
	return out.Bytes()
}

// catalogs is the command that groups the operations on catalogs.
var catalogs = workbench.Parent{Name: "catalog", Doc: "Manage a tool catalog", Section: workbench.Serve, Order: 20}

// CatalogList lists the tools of a catalog.
var CatalogList = workbench.Op[CatalogListInput, *ToolCatalog]{
	Uses: workbench.Color,
	Name: "catalog list", Parent: &catalogs,
	Doc:     "List the tools in a catalog\n\nSorted by server and name. Use --json for all details.",
	Example: "mcptest catalog list --config mcp.json",
	Run: func(ctx context.Context, w *workbench.Workbench, in *CatalogListInput) (*ToolCatalog, error) {
		return within(ctx, w, &in.StoreInput, func(s catalogBackend) (*ToolCatalog, error) {
			f := in.filter()
			f.Name = in.Filter
			tools, err := s.list(ctx, f)
			if err != nil {
				return nil, err
			}
			return &ToolCatalog{Tools: append([]catalog.Tool{}, tools...), waiting: listWaiting(ctx, s, f)}, nil
		})
	},
	Text: func(out io.Writer, l *ToolCatalog) error {
		t := workbench.NewText(out)
		for i := range l.Tools {
			tool(t, &l.Tools[i], "")
		}
		t.Line(t.Dim("%s", workbench.Plural(len(l.Tools), "tool")))
		waitingList(t, l.waiting)
		return t.Err
	},
}

// tool writes a catalog tool in two lines.
func tool(t *workbench.Text, tool *catalog.Tool, note string) {
	line := t.Bold("%s", tool.Key()) + report.Line(arguments.Signature(tool.Parameters)) + "  " +
		t.Dim("v%d", tool.Version)
	if len(tool.Tags) > 0 {
		line += "  " + t.Dim("%s", strings.Join(tool.Tags, ", "))
	}
	if tool.Stale {
		line += "  " + t.Dim("stale")
	}
	if tool.Quarantined != "" {
		line += "  " + t.Bad("quarantined: %s", tool.Quarantined)
	}
	if note != "" {
		line += "  " + note
	}
	t.Line(line)
	if first, _, _ := strings.Cut(strings.TrimSpace(tool.Description), "\n"); first != "" {
		t.Line("    " + report.Visible(clip.Runes(first, 160)))
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
var CatalogSearch = workbench.Op[CatalogSearchInput, *CatalogHits]{
	Uses: workbench.Color,
	Name: "catalog search", Parent: &catalogs,
	Doc: "Search the tools in a catalog\n\nBest match first, each with a score from 0 to 1 " +
		"and the matched words.",
	Example: "mcptest catalog search 'hot drink'",
	Run: func(ctx context.Context, w *workbench.Workbench, in *CatalogSearchInput) (*CatalogHits, error) {
		return within(ctx, w, &in.StoreInput, func(s catalogBackend) (*CatalogHits, error) {
			f := in.filter()
			f.Limit = in.Limit
			hits, err := s.search(ctx, append([]string{in.Query}, in.Also...), f)
			return &CatalogHits{Hits: append([]catalog.Hit{}, hits...)}, err
		})
	},
	Text: func(out io.Writer, h *CatalogHits) error {
		t := workbench.NewText(out)
		for i := range h.Hits {
			hit := &h.Hits[i]
			tool(t, &hit.Tool, t.Good("%.2f", hit.Score)+"  "+t.Dim("%s", strings.Join(hit.Matched, " ")))
		}
		if len(h.Hits) == 0 {
			t.Line("no matching tools")
		}
		return t.Err
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
var CatalogShow = workbench.Op[CatalogNameInput, *CatalogTool]{
	Name: "catalog show", Parent: &catalogs,
	Doc: "Show a tool in a catalog\n\nPrints the full definition as JSON, in the format of " +
		"catalog update.",
	Example: "mcptest catalog show kitchen/brew_tea",
	Run: func(ctx context.Context, w *workbench.Workbench, in *CatalogNameInput) (*CatalogTool, error) {
		return within(ctx, w, &in.StoreInput, func(s catalogBackend) (*CatalogTool, error) {
			tool, err := s.find(ctx, in.Tool)
			return &CatalogTool{Tool: tool}, err
		})
	},
	Text: func(out io.Writer, tool *CatalogTool) error {
		t := workbench.NewText(out)
		t.JSON(tool.RawJSON())
		return t.Err
	},
}

func writeDid(out io.Writer, tool *CatalogTool) error {
	_, err := fmt.Fprintf(out, "%s %s, version %d\n", tool.did, report.Visible(tool.Key().String()), tool.Version)
	return err
}
