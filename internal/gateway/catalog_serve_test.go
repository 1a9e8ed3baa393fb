package gateway

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/gateway/access"
	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/invoke"
	"github.com/mcptest-dev/mcptest/internal/gateway/store"
)

// A brokenStore is a store that cannot be changed, for a reason that names its address.
type brokenStore struct{ store.Store }

func (brokenStore) Commit(context.Context, ...store.Change) ([]store.Record, error) {
	return nil, errors.New("failed to connect to `user=catalog_owner database=mcptest`: 10.1.2.3:5432 (db.internal): " +
		"connection refused")
}

// A change that the database does not take is answered without its user and its address; the log has them.
func TestFailedChangeHidesTheDatabase(t *testing.T) {
	tools, err := catalog.Open(t.Context(), brokenStore{&store.Memory{}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tools.Close()
	var log strings.Builder
	c := &catalogHandler{tools: tools, invoker: &invoke.Invoker{Log: slog.New(slog.NewTextHandler(&log, nil)),
		Hosts: []string{"example.com"}}, caller: access.Unrestricted}
	mux := http.NewServeMux()
	c.routes(mux, func(h http.Handler) http.Handler { return h })
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/catalog/add",
		strings.NewReader(`{"name":"x","run":{"http":{"method":"GET","url":"https://example.com/"}}}`)))
	for _, secret := range []string{"catalog_owner", "10.1.2.3", "db.internal"} {
		if strings.Contains(w.Body.String(), secret) || !strings.Contains(log.String(), secret) {
			t.Errorf("the answer is %s, the log %s; want %s in the log alone", w.Body, &log, secret)
		}
	}
	if w.Code != http.StatusInternalServerError || !strings.Contains(w.Body.String(), "see the gateway log") {
		t.Errorf("%d %s, want 500 and where the reason is", w.Code, w.Body)
	}
}
