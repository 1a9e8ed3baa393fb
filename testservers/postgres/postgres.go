// Package postgres creates a separate database for each test.
package postgres

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Fresh creates a database on the server that MCPTEST_POSTGRES names, and drops it after the test. It returns its URL.
// Without a server the test is skipped.
func Fresh(t *testing.T) string {
	t.Helper()
	server := os.Getenv("MCPTEST_POSTGRES")
	if server == "" && os.Getenv("MCPTEST_REQUIRE_POSTGRES") != "" {
		t.Fatal("MCPTEST_POSTGRES is not set: set it to the URL of a PostgreSQL server")
	}
	if server == "" {
		t.Skip("MCPTEST_POSTGRES names no PostgreSQL server")
	}
	name := fmt.Sprintf("mcptest_%d_%d", os.Getpid(), time.Now().UnixNano())
	Execute(t, server, "CREATE DATABASE "+name)
	t.Cleanup(func() { Execute(t, server, "DROP DATABASE "+name+" WITH (FORCE)") })
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + name
	return u.String()
}

// Execute runs a statement in a database.
func Execute(t testing.TB, address, statement string) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, statement); err != nil {
		t.Fatal(err)
	}
}
