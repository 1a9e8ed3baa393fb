package gateway

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/quarantine"
	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A StoreInput selects the catalog of an operation. Every catalog operation embeds it.
type StoreInput struct {
	Store   string   `json:"store,omitempty" placeholder:"ADDRESS" jsonschema:"SQLite file or postgres:// URL of the catalog (default: a file in the user's state directory)"`
	Config  string   `json:"config,omitempty" placeholder:"FILE" jsonschema:"use the catalog of the gateway with this config file"`
	Gateway string   `json:"gateway,omitempty" placeholder:"URL" jsonschema:"use the catalog of the gateway running at this URL"`
	Header  []string `json:"header,omitempty" placeholder:"'NAME: VALUE'" jsonschema:"HTTP header for the gateway, such as its token; use @FILE or $VAR to read the value from a file or variable"`
}

// A catalogBackend is an open catalog: in a store, or at a running gateway.
type catalogBackend interface {
	list(ctx context.Context, f catalog.Filter) ([]catalog.Tool, error)
	search(ctx context.Context, queries []string, f catalog.Filter) ([]catalog.Hit, error)
	find(ctx context.Context, name string) (catalog.Tool, error)
	add(ctx context.Context, t catalog.Tool) (catalog.Tool, error)
	update(ctx context.Context, t catalog.Tool, seen int) (catalog.Tool, error)
	remove(ctx context.Context, key catalog.Key) error
	take(ctx context.Context, tools []catalog.Tool, replace bool) (catalog.Imported, error)
	waiting(ctx context.Context) ([]quarantine.Item, error)
	approve(ctx context.Context, items []quarantine.Item, by, reason string) ([]catalog.Review, error)
	close() error
}

// openBackend opens the catalog that the input selects. The caller must close it.
func openBackend(ctx context.Context, w *workbench.Workbench, in *StoreInput) (catalogBackend, error) {
	given := 0
	for _, one := range []string{in.Store, in.Config, in.Gateway} {
		if one != "" {
			given++
		}
	}
	switch {
	case given > 1:
		return nil, &workbench.UsageError{Message: "--store, --config and --gateway are mutually exclusive"}
	case len(in.Header) > 0 && in.Gateway == "":
		return nil, &workbench.UsageError{Message: "--header requires --gateway"}
	case in.Store == MemoryStore:
		return nil, &workbench.UsageError{Message: "--store memory is only for a gateway: the catalog would be empty " +
			"here"}
	case in.Gateway != "":
		return remoteShelf(w, in)
	}
	address, err := in.Store, error(nil)
	if address == "" {
		if address, err = DefaultStore(w.System, in.Config); err != nil {
			return nil, err
		}
	}
	c, err := openCatalog(ctx, w, address, nil)
	if err != nil {
		return nil, err
	}
	markWaiting(c)
	return stored{c}, nil
}

// stored is the shelf in a store.
type stored struct{ *catalog.Catalog }

func (s stored) list(_ context.Context, f catalog.Filter) ([]catalog.Tool, error) {
	return s.List(f), nil
}

func (s stored) search(_ context.Context, queries []string, f catalog.Filter) ([]catalog.Hit, error) {
	return s.Search(queries, f), nil
}

func (s stored) find(_ context.Context, name string) (catalog.Tool, error) {
	return findTool(s.List(catalog.Filter{}), name)
}

func (s stored) add(ctx context.Context, t catalog.Tool) (catalog.Tool, error) {
	return s.Register(ctx, t)
}

func (s stored) update(ctx context.Context, t catalog.Tool, seen int) (catalog.Tool, error) {
	return s.Update(ctx, t, seen)
}

func (s stored) remove(ctx context.Context, key catalog.Key) error { return s.Remove(ctx, key) }

func (s stored) take(ctx context.Context, tools []catalog.Tool, replace bool) (catalog.Imported, error) {
	return s.Import(ctx, tools, replace)
}

func (s stored) close() error { return s.Close() }

// within opens a catalog, uses it and closes it.
func within[Out any](ctx context.Context, w *workbench.Workbench, in *StoreInput,
	use func(catalogBackend) (Out, error)) (out Out,
	err error) {
	s, err := openBackend(ctx, w, in)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	out, err = use(s)
	return out, explained(err)
}

// explained converts errors of the catalog to usage errors.
func explained(err error) error {
	var conflict *catalog.ConflictError
	var missing *catalog.NotFoundError
	var invalid *catalog.InvalidError
	var outdated *catalog.NotWaitingError
	switch {
	case errors.As(err, &conflict) && conflict.Seen == 0:
		return &workbench.UsageError{Message: conflict.Error(), Hint: "use {mcptest catalog update} to change it"}
	case errors.As(err, &conflict):
		return &workbench.UsageError{Message: conflict.Error(),
			Hint: hint.Text(fmt.Sprintf("run mcptest catalog show %s, and update that version", conflict.Key))}
	case errors.As(err, &missing):
		return &workbench.UsageError{Message: missing.Error(), Hint: "run: {mcptest catalog list}"}
	case errors.As(err, &invalid):
		return &workbench.UsageError{Message: invalid.Error()}
	case errors.As(err, &outdated):
		return &workbench.UsageError{Message: outdated.Error(), Hint: reviewAgain}
	}
	return err
}

// findTool finds a tool by name, or by server/name if several servers have a tool of that name.
func findTool(tools []catalog.Tool, name string) (catalog.Tool, error) {
	var found []catalog.Tool
	for _, t := range tools {
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
	return catalog.Tool{}, &workbench.UsageError{Message: fmt.Sprintf("%d servers have a tool named %s", len(found),
		name),
		Hint: hint.Text("use one of: " + strings.Join(keys, ", "))}
}
