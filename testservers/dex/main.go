// Dex runs dex as an authorization server for tests: in memory, with one public client, and a user who agrees at once.
// Usage: dex PORT CLIENT, the client ID; it is a module of its own, because dex has hundreds of dependencies.
package main

import (
	"context"
	"log"
	"log/slog"
	"net/http"
	"os"
	"time"

	gosundheit "github.com/AppsFlyer/go-sundheit"
	"github.com/dexidp/dex/server"
	"github.com/dexidp/dex/server/signer"
	"github.com/dexidp/dex/server/tokens"
	"github.com/dexidp/dex/storage"
	"github.com/dexidp/dex/storage/memory"
	"github.com/prometheus/client_golang/prometheus"
)

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: dex PORT CLIENT")
	}
	if err := run(context.Background(), "127.0.0.1:"+os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, address, client string) error {
	logger := slog.New(slog.DiscardHandler)
	store := memory.New(logger)
	store = storage.WithStaticClients(store, []storage.Client{{ID: client, Name: "mcptest", Public: true}})
	store = storage.WithStaticConnectors(store, []storage.Connector{{ID: "mock", Type: "mockCallback", Name: "mock"}})
	keys, err := (&signer.LocalConfig{KeysRotationPeriod: "6h"}).Open(ctx, store, time.Hour, time.Now, logger)
	if err != nil {
		return err
	}
	handler, err := server.NewServer(ctx, server.Config{Issuer: "http://" + address, Storage: store, Signer: keys,
		SkipApprovalScreen: true, IDTokensValidFor: time.Hour, Logger: logger, HealthChecker: gosundheit.New(),
		PrometheusRegistry: prometheus.NewRegistry(),
		RefreshTokenPolicy: tokens.NewRefreshStrategy(true, time.Hour, time.Hour, 0, time.Now)})
	if err != nil {
		return err
	}
	return http.ListenAndServe(address, handler)
}
