package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/redirect"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// Timeout and size limits of requests to a gateway.
const (
	remoteTimeout = time.Minute
	remoteSize    = 256 << 20
)

// remote is the shelf at a running gateway.
type remote struct {
	base   string
	header http.Header
	client *http.Client
}

// remoteShelf connects to the gateway. The URL may be the one that clients use, with /mcp.
func remoteShelf(w *workbench.Workbench, in *StoreInput) (catalogBackend, error) {
	found, err := target.Resolve(w.System, target.Spec{Args: []string{in.Gateway}, Header: in.Header}, nil)
	if err != nil {
		return nil, err
	}
	w.Secrets.Join(found.Secrets)
	u, err := url.Parse(found.Target.URL)
	if err != nil || found.Target.URL == "" {
		return nil, &workbench.UsageError{Message: fmt.Sprintf("invalid value %q for --gateway: expected the URL of "+
			"a gateway",
			in.Gateway), Hint: "use the URL that {mcptest gateway --listen} prints"}
	}
	u.Path, u.RawQuery, u.Fragment = strings.TrimSuffix(strings.TrimSuffix(u.Path, "/"), "/mcp"), "", ""
	client := &http.Client{Timeout: remoteTimeout, CheckRedirect: redirect.None}
	return &remote{base: u.String(), header: found.Target.Header, client: client}, nil
}

func (r *remote) list(ctx context.Context, f catalog.Filter) ([]catalog.Tool, error) {
	var out ToolCatalog
	err := r.request(ctx, http.MethodGet, "tools", filterQuery(f), nil, &out)
	return out.Tools, err
}

func (r *remote) search(ctx context.Context, queries []string, f catalog.Filter) ([]catalog.Hit, error) {
	var out CatalogHits
	q := filterQuery(f)
	q["query"] = queries
	err := r.request(ctx, http.MethodGet, "search", q, nil, &out)
	return out.Hits, err
}

func (r *remote) find(ctx context.Context, name string) (t catalog.Tool, err error) {
	return t, r.request(ctx, http.MethodGet, "tool", url.Values{"name": {name}}, nil, &t)
}

func (r *remote) add(ctx context.Context, t catalog.Tool) (added catalog.Tool, err error) {
	err = r.request(ctx, http.MethodPost, "add", nil, (&CatalogTool{Tool: t}).RawJSON(), &added)
	return added, err
}

func (r *remote) update(ctx context.Context, t catalog.Tool, seen int) (updated catalog.Tool, err error) {
	err = r.request(ctx, http.MethodPost, "update", url.Values{"seen": {strconv.Itoa(seen)}},
		(&CatalogTool{Tool: t}).RawJSON(), &updated)
	return updated, err
}

func (r *remote) remove(ctx context.Context, key catalog.Key) error {
	return r.request(ctx, http.MethodDelete, "tool", url.Values{"server": {key.Server}, "name": {key.Name}}, nil,
		&struct{}{})
}

func (r *remote) take(ctx context.Context, tools []catalog.Tool, replace bool) (did catalog.Imported, err error) {
	err = r.request(ctx, http.MethodPost, "import", url.Values{"replace": {strconv.FormatBool(replace)}},
		(&ToolCatalog{Tools: tools}).RawJSON(), &did)
	return did, err
}

func (r *remote) close() error {
	r.client.CloseIdleConnections()
	return nil
}

func filterQuery(f catalog.Filter) url.Values {
	q := url.Values{"tag": f.Tags, "annotation": f.Annotations}
	for name, value := range map[string]string{"name": f.Name, "server": f.Server} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if f.Limit > 0 {
		q.Set("limit", strconv.Itoa(f.Limit))
	}
	return q
}

// request sends one request and reads the response.
func (r *remote) request(ctx context.Context, method, what string, q url.Values, body []byte, into any) error {
	req, err := http.NewRequestWithContext(ctx, method, r.base+"/catalog/"+what+"?"+q.Encode(), bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header = r.header.Clone()
	if req.Header == nil {
		req.Header = http.Header{}
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := r.client.Do(req)
	if err != nil {
		var wrapped *url.Error
		if errors.As(err, &wrapped) {
			err = wrapped.Err // its text repeats the URL
		}
		return &wire.Error{Target: "the gateway at " + r.base, Doing: "ask", Err: err,
			Hint: "check that it is running, or start one: {mcptest gateway --config mcp.json --listen ADDRESS}"}
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, remoteSize))
	if err != nil {
		return fmt.Errorf("read the gateway's response: %w", err)
	}
	if resp.StatusCode != http.StatusOK {
		return r.refused(resp.StatusCode, answer)
	}
	if err := json.Unmarshal(answer, into); err != nil {
		return fmt.Errorf("%s did not respond like a gateway: %w", r.base, rawjson.Problem(answer, err))
	}
	return nil
}

// refused converts an error response to the error that a local store would return.
func (r *remote) refused(status int, answer []byte) error {
	var said refusedChange
	_ = json.Unmarshal(answer, &said) // a body that is not JSON has no type
	key := catalog.Key{Server: said.Server, Name: said.Name}
	switch said.Type {
	case "ConflictError":
		return &catalog.ConflictError{Key: key, Seen: said.Seen, Actual: said.Actual}
	case "NotFoundError":
		return &catalog.NotFoundError{Key: key}
	case "InvalidError":
		return &catalog.InvalidError{Key: key, Problem: said.Problem}
	case "UsageError", "AccessError", "NotWaitingError":
		return &workbench.UsageError{Message: said.Message, Hint: hint.Text(said.Hint)}
	}
	switch status {
	case http.StatusUnauthorized:
		return &workbench.UsageError{Message: "the gateway rejected the token, or no token was sent",
			Hint: "use {--header} 'Authorization: Bearer $TOKEN', with TOKEN in the environment"}
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return &workbench.UsageError{Message: r.base + " has no catalog",
			Hint: "use the URL that {mcptest gateway --listen} prints; a gateway with {--transparent} has no catalog"}
	case http.StatusRequestEntityTooLarge:
		return &workbench.UsageError{Message: "the request exceeds the gateway's size limit",
			Hint: "import directly into its store, with {--store} or {--config}"}
	case http.StatusTooManyRequests:
		return &workbench.UsageError{Message: "rate limit exceeded", Hint: "try again in a second"}
	}
	return fmt.Errorf("the gateway returned HTTP %d: %s", status,
		strings.TrimSpace(string(answer[:min(len(answer), 200)])))
}
