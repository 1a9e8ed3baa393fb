package catalog_test

import (
	"database/sql"
	"path/filepath"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/store"
)

// Whoever runs a catalog hears once that its store cannot be read, and once that it can be again.
func TestLostStoreIsTold(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c.db")
	s, err := store.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	told := make(chan error, 10)
	c, err := catalog.Open(t.Context(), s, &catalog.Options{OnFollow: func(err error) { told <- err }})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, step := range []struct {
		do   string
		lost bool
	}{
		{"ALTER TABLE catalog_tools RENAME TO elsewhere", true},
		{"ALTER TABLE elsewhere RENAME TO catalog_tools", false},
	} {
		if _, err := db.ExecContext(t.Context(), step.do); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-told:
			if (err != nil) != step.lost {
				t.Errorf("after %s it was told %v", step.do, err)
			}
		case <-time.After(30 * time.Second):
			t.Fatalf("after %s nothing was told", step.do)
		}
	}
	if len(told) > 0 {
		t.Errorf("it was told once more: %v", <-told)
	}
}
