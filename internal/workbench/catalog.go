package workbench

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
)

// A StoreInput says which catalog an operation is about. Every operation on a catalog embeds it.
type StoreInput struct {
	Store  string `json:"store,omitempty" placeholder:"ADDRESS" jsonschema:"the catalog's SQLite file or postgres:// database (default: a file of the user's own)"`
	Config string `json:"config,omitempty" placeholder:"FILE" jsonschema:"the catalog of the gateway with this config file"`
}

// catalog opens the catalog that the input names. Whoever opens it closes it.
func (w *Workbench) catalog(ctx context.Context, in *StoreInput) (*catalog.Catalog, error) {
	address, err := in.Store, error(nil)
	switch {
	case in.Store != "" && in.Config != "":
		return nil, &UsageError{Message: "both --store and --config are given; want one"}
	case in.Store == MemoryStore:
		return nil, &UsageError{Message: "--store memory is for a gateway; here nothing would be in it"}
	case in.Store == "":
		if address, err = DefaultStore(w.System, in.Config); err != nil {
			return nil, err
		}
	}
	return w.openCatalog(ctx, address, nil)
}

// within opens a catalog, uses it and closes it.
func within[Out any](ctx context.Context, w *Workbench, in *StoreInput, use func(*catalog.Catalog) (Out, error)) (out Out, err error) {
	c, err := w.catalog(ctx, in)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	out, err = use(c)
	return out, explained(err)
}

// explained makes a usage error of what the catalog refuses.
func explained(err error) error {
	var conflict *catalog.ConflictError
	var missing *catalog.NotFoundError
	var invalid *catalog.InvalidError
	switch {
	case errors.As(err, &conflict) && conflict.Seen == 0:
		return &UsageError{Message: conflict.Error(), Hint: "mcptest catalog update changes it"}
	case errors.As(err, &conflict):
		return &UsageError{Message: conflict.Error(), Hint: fmt.Sprintf("look at it with mcptest catalog show %s, and update that version", conflict.Key)}
	case errors.As(err, &missing):
		return &UsageError{Message: missing.Error(), Hint: "mcptest catalog list shows what there is"}
	case errors.As(err, &invalid):
		return &UsageError{Message: invalid.Error()}
	}
	return err
}

// findTool finds a tool by its name, or by server/name where several servers have one of that name.
func findTool(c *catalog.Catalog, name string) (catalog.Tool, error) {
	var found []catalog.Tool
	for _, t := range c.List(catalog.Filter{}) {
		if t.Key().String() == name {
			return t, nil
		}
		if t.Name == name {
			found = append(found, t)
		}
	}
	switch len(found) {
	case 0:
		return catalog.Tool{}, &catalog.NotFoundError{Key: catalog.Key{Name: name}}
	case 1:
		return found[0], nil
	}
	var keys []string
	for _, t := range found {
		keys = append(keys, t.Key().String())
	}
	return catalog.Tool{}, &UsageError{Message: fmt.Sprintf("%d servers have a tool %s", len(found), name), Hint: "one of: " + strings.Join(keys, ", ")}
}
