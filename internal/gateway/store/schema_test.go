package store_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/gateway/store"
	"github.com/mcptest-dev/mcptest/testservers/postgres"
)

func TestANewerSchemaIsRefused(t *testing.T) {
	for _, e := range stores {
		t.Run(e.name, func(t *testing.T) {
			address := e.fresh(t)
			if err := open(t, address).Close(); err != nil {
				t.Fatal(err)
			}
			if e.name == "postgres" {
				postgres.Execute(t, address, "UPDATE catalog_schema SET version = 99")
			} else {
				executeSQLite(t, address, "PRAGMA user_version = 99")
			}
			_, err := store.Open(t.Context(), address)
			if err == nil || !strings.Contains(err.Error(), "schema is version 99") {
				t.Errorf("Open = %v, want a refusal that names schema 99", err)
			}
		})
	}
}

func executeSQLite(t *testing.T, file, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+(strings.NewReplacer("?", "%3f", "#", "%23").Replace(file)))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
}

// Replicas that start at the same time make the schema once.
func TestManyOpenAFreshStoreAtOnce(t *testing.T) {
	for _, e := range stores {
		t.Run(e.name, func(t *testing.T) {
			address := e.fresh(t)
			var wg sync.WaitGroup
			for range 6 {
				wg.Go(func() {
					s, err := store.Open(context.WithoutCancel(t.Context()), address)
					if err != nil {
						t.Error(err)
						return
					}
					if err := s.Close(); err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
		})
	}
}

func TestAFileThatIsNoStoreIsLeftAlone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "notes.txt")
	keep(t, file, []byte(strings.Repeat("not a database\n", 100)))
	if _, err := store.Open(t.Context(), file); err == nil {
		t.Error("Open took a text file for a store")
	}
	if got := string(read(t, file)); !strings.HasPrefix(got, "not a database") {
		t.Errorf("the file is now %.20q, want it as it was", got)
	}
}
