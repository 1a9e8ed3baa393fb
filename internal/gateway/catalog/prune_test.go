package catalog_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/store"
)

// deaf is a store that tells of no change: a process that was away.
type deaf struct{ store.Store }

// Watch tells nothing.
func (d deaf) Watch(ctx context.Context) <-chan struct{} {
	never := make(chan struct{})
	context.AfterFunc(ctx, func() { close(never) })
	return never
}

// A process that was away while a tool was removed and the removal was forgotten finds out all the same.
func TestForgottenRemovalsReachEverybody(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c.db")
	here := openFile(t, file)
	for _, name := range []string{"x", "y"} {
		if _, err := here.Register(t.Context(), catalog.Tool{Name: name, Run: catalog.Run{Func: "f"}}); err != nil {
			t.Fatal(err)
		}
	}
	s, err := store.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	away, err := catalog.Open(t.Context(), deaf{s}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer away.Close()
	watch, stop := context.WithCancel(t.Context())
	defer stop()
	changes := away.Watch(watch)
	if err := here.Remove(t.Context(), catalog.Key{Name: "x"}); err != nil {
		t.Fatal(err)
	}
	if n, err := s.Prune(t.Context(), time.Now().Add(time.Hour), 0); n != 1 || err != nil {
		t.Fatalf("Forget = %d (%v), want 1", n, err)
	}
	if _, err := here.Register(t.Context(), catalog.Tool{Name: "z", Run: catalog.Run{Func: "f"}}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := away.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got, want := names(away.List(catalog.Filter{})), []string{"y", "z"}; !slices.Equal(got, want) {
			t.Errorf("after it came back it lists %v, want %v", got, want)
		}
	}
	var told []string
	for len(told) < 2 {
		for _, c := range <-changes {
			told = append(told, string(c.Kind)+" "+c.Tool.Name)
		}
	}
	if want := []string{"added z", "removed x"}; !slices.Equal(told, want) {
		t.Errorf("it was told of %v, want %v", told, want)
	}
	if again, err := here.Register(t.Context(), catalog.Tool{Name: "x", Run: catalog.Run{Func: "f"}}); err != nil ||
		again.Version != 1 {
		t.Errorf("the forgotten tool comes back as version %d (%v), want 1", again.Version, err)
	}
	if err := away.Refresh(t.Context()); err != nil || len(away.List(catalog.Filter{})) != 3 {
		t.Errorf("then it lists %v (%v), want three tools", names(away.List(catalog.Filter{})), err)
	}
}
