package gateway

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A CatalogFileInput names a file with a tool definition.
type CatalogFileInput struct {
	StoreInput
	File string `json:"file" cli:"arg" jsonschema:"JSON file that defines the tool: name, server, description, parameters, returns, tags, timeout, validators, run"`
}

// CatalogAdd registers a tool.
var CatalogAdd = workbench.Op[CatalogFileInput, *CatalogTool]{
	Name: "catalog add", Parent: &catalogs,
	Doc: "Register a tool in a catalog\n\nThe tool is defined in a JSON file. It is available " +
		"immediately, as version 1.",
	Example: "mcptest catalog add tool.json",
	Run: func(ctx context.Context, w *workbench.Workbench, in *CatalogFileInput) (*CatalogTool, error) {
		tool, err := readTool(in.File)
		if err != nil {
			return nil, err
		}
		return within(ctx, w, &in.StoreInput, func(s catalogBackend) (*CatalogTool, error) {
			added, err := s.add(ctx, tool)
			return &CatalogTool{Tool: added, did: "registered"}, err
		})
	},
	Text: writeDid,
}

// A CatalogUpdateInput is the input of CatalogUpdate.
type CatalogUpdateInput struct {
	CatalogFileInput
	Seen int `json:"seen,omitempty" placeholder:"VERSION" jsonschema:"version that the change is based on (default: the version in the file)"`
}

// CatalogUpdate replaces the definition of a tool.
var CatalogUpdate = workbench.Op[CatalogUpdateInput, *CatalogTool]{
	Name: "catalog update", Parent: &catalogs,
	Doc: "Update a tool in a catalog\n\n" +
		"The file contains the new definition, usually the edited output of catalog show. Nothing changes if the " +
		"tool was modified since.",
	Example: "mcptest catalog update tool.json --seen 1",
	Run: func(ctx context.Context, w *workbench.Workbench, in *CatalogUpdateInput) (*CatalogTool, error) {
		tool, err := readTool(in.File)
		if err != nil {
			return nil, err
		}
		seen := in.Seen
		if seen == 0 {
			seen = tool.Version
		}
		if seen == 0 {
			return nil, &workbench.UsageError{Message: in.File + ": missing version",
				Hint: "use {--seen} to pass the version that the change is based on"}
		}
		return within(ctx, w, &in.StoreInput, func(s catalogBackend) (*CatalogTool, error) {
			updated, err := s.update(ctx, tool, seen)
			return &CatalogTool{Tool: updated, did: "updated"}, err
		})
	},
	Text: writeDid,
}

// CatalogRemove removes a tool.
var CatalogRemove = workbench.Op[CatalogNameInput, *CatalogTool]{
	Name: "catalog remove", Parent: &catalogs,
	Doc:     "Remove a tool from a catalog",
	Example: "mcptest catalog remove kitchen/brew_tea",
	Run: func(ctx context.Context, w *workbench.Workbench, in *CatalogNameInput) (*CatalogTool, error) {
		return within(ctx, w, &in.StoreInput, func(s catalogBackend) (*CatalogTool, error) {
			tool, err := s.find(ctx, in.Tool)
			if err != nil {
				return nil, err
			}
			return &CatalogTool{Tool: tool, did: "removed"}, s.remove(ctx, tool.Key())
		})
	},
	Text: writeDid,
}

// A CatalogExportInput is the input of CatalogExport.
type CatalogExportInput struct {
	StoreInput
	CatalogFilter
}

// CatalogExport writes a catalog as JSON.
var CatalogExport = workbench.Op[CatalogExportInput, *ToolCatalog]{
	Name: "catalog export", Parent: &catalogs,
	Doc:     "Export a catalog as JSON\n\nPrints to stdout, in the format of catalog import.",
	Example: "mcptest catalog export > all.json",
	Run: func(ctx context.Context, w *workbench.Workbench, in *CatalogExportInput) (*ToolCatalog, error) {
		return within(ctx, w, &in.StoreInput, func(s catalogBackend) (*ToolCatalog, error) {
			tools, err := s.list(ctx, in.filter())
			return &ToolCatalog{Tools: append([]catalog.Tool{}, tools...)}, err
		})
	},
}

// A CatalogImportInput names a file with tools.
type CatalogImportInput struct {
	StoreInput
	File    string `json:"file" cli:"arg" jsonschema:"JSON file written by catalog export"`
	Replace bool   `json:"replace,omitempty" jsonschema:"replace existing tools that have a different definition"`
}

// CatalogImport imports tools from a file.
var CatalogImport = workbench.Op[CatalogImportInput, *catalog.Imported]{
	Name: "catalog import", Parent: &catalogs,
	Doc: "Import tools from a file\n\nImports all tools or none: an existing tool with a " +
		"different definition is an error unless --replace is given.",
	Example: "mcptest catalog import all.json --replace",
	Run: func(ctx context.Context, w *workbench.Workbench, in *CatalogImportInput) (*catalog.Imported, error) {
		data, err := os.ReadFile(in.File)
		if err != nil {
			return nil, &workbench.UsageError{Message: err.Error()}
		}
		var file ToolCatalog
		if err := json.Unmarshal(data, &file); err != nil {
			return nil, &workbench.UsageError{Message: fmt.Sprintf("%s is not a catalog: %v", in.File,
				rawjson.Problem(data, err)),
				Hint: "use a file written by {mcptest catalog export}"}
		}
		return within(ctx, w, &in.StoreInput, func(s catalogBackend) (*catalog.Imported, error) {
			did, err := s.take(ctx, file.Tools, in.Replace)
			return &did, err
		})
	},
	Text: func(out io.Writer, did *catalog.Imported) error {
		skipped := ""
		if len(did.Skipped) > 0 {
			skipped = fmt.Sprintf(", %d skipped: listed by their servers", len(did.Skipped))
		}
		_, err := fmt.Fprintf(out, "%s added, %d updated, %d unchanged%s\n", workbench.Plural(len(did.Added), "tool"),
			len(did.Updated), len(did.Unchanged), skipped)
		return err
	},
}

// readTool reads the definition of a tool.
func readTool(file string) (catalog.Tool, error) {
	var tool catalog.Tool
	data, err := os.ReadFile(file)
	if err != nil {
		return tool, &workbench.UsageError{Message: err.Error()}
	}
	if err := json.Unmarshal(data, &tool); err != nil {
		return tool, &workbench.UsageError{Message: fmt.Sprintf("%s: %v", file, rawjson.Problem(data, err)),
			Hint: "see {mcptest catalog add --help} for an example"}
	}
	return tool, nil
}
