package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/gateway/access"
	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/invoke"
	"github.com/mcptest-dev/mcptest/internal/gateway/metatools"
	"github.com/mcptest-dev/mcptest/internal/gateway/quarantine"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A catalogHandler serves the gateway's catalog over HTTP, for mcptest catalog --gateway.
type catalogHandler struct {
	tools   *catalog.Catalog
	invoker *invoke.Invoker
	guard   *quarantine.Guard
	caller  func(name string) *access.Caller
	// by server: what it lists for a caller, instead of its tools in the catalog; nil means that there is no such server
	listings func(ctx context.Context, caller string) map[string]*catalog.Listing
}

// routes adds the catalog routes; every request has an authenticated caller.
func (c *catalogHandler) routes(mux *http.ServeMux, inside func(http.Handler) http.Handler) {
	for pattern, answer := range map[string]func(*metatools.Host, *http.Request) (any, error){
		"GET /catalog/tools": c.list, "GET /catalog/search": c.search, "GET /catalog/tool": c.show,
		"POST /catalog/add": managing(c.add), "POST /catalog/update": managing(c.update),
		"DELETE /catalog/tool":    managing(c.remove),
		"POST /catalog/import":    managing(c.take),
		"GET /catalog/quarantine": managing(c.waiting), "POST /catalog/approve": managing(c.approve),
	} {
		mux.Handle(pattern, inside(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			host := &metatools.Host{Caller: c.caller(callerOf(r)), Catalog: c.tools, Invoker: c.invoker}
			if host.Caller == nil {
				host.Caller = access.Nobody()
			}
			if c.listings != nil {
				host.Own = func() map[string]*catalog.Listing { return c.listings(r.Context(), callerOf(r)) }
			}
			answered, err := answer(host, r)
			if err != nil {
				c.refuse(w, err)
				return
			}
			writeResponse(w, http.StatusOK, answered)
		})))
	}
}

var errManage = errors.New(`this caller is not allowed to change the catalog; set "manage" in the gateway's config ` +
	`to allow it`)

// managing restricts a handler to callers that may change the catalog.
func managing(answer func(*metatools.Host, *http.Request) (any, error)) func(*metatools.Host, *http.Request) (any,
	error) {
	return func(h *metatools.Host, r *http.Request) (any, error) {
		if !h.Caller.Manage {
			return nil, errManage
		}
		return answer(h, r)
	}
}

// filterOf reads the filter, limited to tools that the caller may use.
func filterOf(h *metatools.Host, r *http.Request) catalog.Filter {
	q := r.URL.Query()
	limit, _ := strconv.Atoi(q.Get("limit"))
	return catalog.Filter{Name: q.Get("name"), Server: q.Get("server"), Tags: q["tag"], Annotations: q["annotation"],
		Limit: limit, Own: h.Listings(),
		Allow: func(t *catalog.Tool) bool { return h.Caller.May(t.Server, t.Name) }, AllowKey: h.Caller.Rights()}
}

// visibleTo returns a tool as the caller sees it: how it is run is visible only to callers that manage the
// catalog.
func visibleTo(h *metatools.Host, t catalog.Tool) catalog.Tool {
	if !h.Caller.Manage {
		t.Run, t.Validators = catalog.Run{}, nil
	}
	return t
}

func (c *catalogHandler) list(h *metatools.Host, r *http.Request) (any, error) {
	tools := c.tools.List(filterOf(h, r))
	for i := range tools {
		tools[i] = visibleTo(h, tools[i])
	}
	return &ToolCatalog{Tools: tools}, nil
}

func (c *catalogHandler) search(h *metatools.Host, r *http.Request) (any, error) {
	hits := c.tools.SearchContext(r.Context(), r.URL.Query()["query"], filterOf(h, r))
	for i := range hits {
		hits[i].Tool = visibleTo(h, hits[i].Tool)
	}
	return &CatalogHits{Hits: hits}, nil
}

func (c *catalogHandler) show(h *metatools.Host, r *http.Request) (any, error) {
	all := filterOf(h, r)
	name := all.Name
	all.Name = ""
	t, err := findTool(c.tools.List(all), name)
	return &CatalogTool{Tool: visibleTo(h, t)}, err
}

func (c *catalogHandler) add(h *metatools.Host, r *http.Request) (any, error) {
	var t catalog.Tool
	if err := readBody(r, &t); err != nil {
		return nil, err
	}
	added, err := h.Register(r.Context(), t)
	return &CatalogTool{Tool: added}, err
}

func (c *catalogHandler) update(h *metatools.Host, r *http.Request) (any, error) {
	var t catalog.Tool
	if err := readBody(r, &t); err != nil {
		return nil, err
	}
	seen, err := strconv.Atoi(r.URL.Query().Get("seen"))
	if err != nil {
		return nil, &workbench.UsageError{Message: "seen is not a valid version"}
	}
	updated, err := h.Update(r.Context(), t, seen)
	return &CatalogTool{Tool: updated}, err
}

func (c *catalogHandler) remove(h *metatools.Host, r *http.Request) (any, error) {
	q := r.URL.Query()
	return struct{}{}, h.Remove(r.Context(), catalog.Key{Server: q.Get("server"), Name: q.Get("name")})
}

func (c *catalogHandler) take(h *metatools.Host, r *http.Request) (any, error) {
	var file ToolCatalog
	if err := readBody(r, &file); err != nil {
		return nil, err
	}
	return h.Import(r.Context(), file.Tools, r.URL.Query().Get("replace") == "true")
}

// A refusedChange is the error response of the catalog routes.
type refusedChange struct {
	Type    string `json:"type"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
	Server  string `json:"server,omitempty"`
	Name    string `json:"name,omitempty"`
	Seen    int    `json:"seen,omitempty"`
	Actual  int    `json:"actual,omitempty"`
	Problem string `json:"problem,omitempty"`
}

// refuse writes an error response with everything that the client needs to reconstruct the error.
func (c *catalogHandler) refuse(w http.ResponseWriter, err error) {
	var conflict *catalog.ConflictError
	var missing *catalog.NotFoundError
	var invalid *catalog.InvalidError
	var usage *workbench.UsageError
	var outdated *catalog.NotWaitingError
	said, status := refusedChange{Type: invoke.TypeOf(err), Message: c.invoker.Message(err)},
		http.StatusInternalServerError
	switch {
	case errors.As(err, &conflict):
		said.Server, said.Name, said.Seen, said.Actual, status = conflict.Key.Server, conflict.Key.Name, conflict.Seen,
			conflict.Actual, http.StatusConflict
	case errors.As(err, &outdated):
		said.Hint, status = reviewAgain, http.StatusConflict
	case errors.As(err, &missing):
		said.Server, said.Name, status = missing.Key.Server, missing.Key.Name, http.StatusNotFound
	case errors.As(err, &invalid):
		said.Server, said.Name, said.Problem, status = invalid.Key.Server, invalid.Key.Name, invalid.Problem,
			http.StatusUnprocessableEntity
	case errors.As(err, &usage):
		said.Type, said.Hint, status = "UsageError", usage.Hint.String(), http.StatusBadRequest
	case errors.Is(err, errManage):
		said.Type, status = "AccessError", http.StatusForbidden
	}
	writeResponse(w, status, said)
}

// writeResponse writes JSON; tools are written unchanged.
func writeResponse(w http.ResponseWriter, status int, answer any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	if raw, ok := answer.(workbench.RawJSON); ok {
		_, _ = w.Write(raw.RawJSON()) // a disconnected client misses it
		return
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(answer)
}

// readBody reads the JSON body of a request.
func readBody(r *http.Request, into any) error {
	text, err := io.ReadAll(r.Body)
	if err == nil {
		err = rawjson.Problem(text, json.Unmarshal(text, into))
	}
	if err != nil {
		return &workbench.UsageError{Message: "request body: " + err.Error()}
	}
	return nil
}
