package main

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcptest-dev/mcptest/internal/surface/httpapi"
)

// The page's types are those of now.
func TestTypesOfThePageAreCurrent(t *testing.T) {
	said := comments{}
	for _, pkg := range sources {
		if err := said.read("../..", module+pkg); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("../../web/src/api.gen.ts")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(got), generate(httpapi.Routes(), said)); diff != "" {
		t.Errorf("run go generate ./internal/surface/httpapi (-file +types):\n%s", diff)
	}
}
