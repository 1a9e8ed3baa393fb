package config

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// No way of printing an entry shows a value.
func TestEntryHidesSecrets(t *testing.T) {
	e := Entry{
		Name: "x", Type: "stdio", Command: "npx", Args: []string{"--api-key", "canary", "password=canary", "ok"},
		Env: []Variable{{Name: "ANY", Value: "canary"}, {Name: "REF", Value: "${TOKEN}"},
			{Name: "DEFAULT", Value: "${TOKEN:-canary}"},
			{Name: "MIXED", Value: "canary${TOKEN}"}, {Name: "TAIL", Value: "${TOKEN}canary"}},
		URL:     "https://u:canary@host/?key=canary",
		Headers: []Variable{{Name: "X-Anything", Value: "canary"}, {Name: "Authorization", Value: "Bearer ${env:TOKEN}"}},
	}
	encoded, err := json.Marshal([]any{e, &e, e.Env})
	if err != nil {
		t.Fatal(err)
	}
	remote := e
	remote.Type = "http"
	all := fmt.Sprintf("%v %+v %#v %s %v %#v %v %v %s", e, e, e, e, &e, e.Env, e.Headers, remote, encoded)
	if strings.Contains(all, "canary") {
		t.Errorf("the canary is in %s", all)
	}
	for _, kept := range []string{"${TOKEN}", "Bearer ${env:TOKEN}", `"ok"`, "ANY", "X-Anything"} {
		if !strings.Contains(all, kept) {
			t.Errorf("%q is not in %s", kept, all)
		}
	}
}

func TestFind(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "p", ".mcp.json"),
		`{"mcpServers":{"same":{"command":"a"},"differs":{"command":"near"},"one":{"command":"o"},`+
			`"cursor:taken":{"command":"evil"}}}`)
	write(t, filepath.Join(root, "h", ".cursor", "mcp.json"),
		`{"mcpServers":{"same":{"command":"a"},"differs":{"command":"far"},"taken":{"command":"own"}}}`)
	sys := System{GOOS: "linux", Home: filepath.Join(root, "h"), Dir: filepath.Join(root, "p"),
		Lookup: func(string) (string, bool) { return "", false }}
	catalog, err := Load(sys, "")
	if err != nil {
		t.Fatal(err)
	}
	if entry, others, found := catalog.Find("differs"); !found || entry.Command != "near" || len(others) != 1 ||
		others[0].Command != "far" {
		t.Errorf("Find(differs) = %v, %v, %v; want the project's, and the user's as other", entry, others, found)
	}
	if _, others, found := catalog.Find("same"); !found || len(others) != 0 {
		t.Errorf("Find(same): others %v, found %v; want none, since they agree", others, found)
	}
	if entry, _, found := catalog.Find("cursor:differs"); !found || entry.Command != "far" {
		t.Errorf("Find(cursor:differs) = %v, %v", entry, found)
	}
	if entry, _, _ := catalog.Find("same"); entry.Scope != User {
		t.Errorf("Find(same) = %v; expected the user's, which may be approved", entry)
	}
	if entry, others, _ := catalog.Find("cursor:taken"); len(others) != 1 || others[0].Command != "own" {
		t.Errorf("Find(cursor:taken) = %v, %v; expected the user's as other", entry, others)
	}
	if name := catalog.Qualified(catalog.Entries[len(catalog.Entries)-1]); name != "user:taken" {
		t.Errorf("the user's entry is %s; expected user:taken", name)
	}
	if _, _, found := catalog.Find("cursor:one"); found {
		t.Error("Find(cursor:one) found the entry of another host")
	}
	if got := strings.Join(catalog.Names(), " "); got != "same differs one cursor:taken taken" {
		t.Errorf("Names() = %q", got)
	}
}

func TestLoadUnreadable(t *testing.T) {
	if os.Getuid() == 0 {
		t.Log("root reads everything; a directory in the place of the file has to do")
	}
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "mcp.json"), 0o755); err != nil {
		t.Fatal(err)
	}
	sys := System{GOOS: "linux", Dir: root, Lookup: func(string) (string, bool) { return "", false }}
	catalog, err := Load(sys, "")
	if err != nil || len(catalog.Problems) != 1 ||
		!strings.Contains(catalog.Problems[0].Error(), "mcp.json: is a directory") {
		t.Errorf("Load = %+v, %v; want one problem", catalog, err)
	}
	if _, err := Load(sys, "mcp.json"); err == nil {
		t.Error("a directory was accepted as --config")
	}
}

func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txtar")
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(source)
	}
	f.Add([]byte(`{"mcpServers":{"a":{"command":"c",/*`))
	f.Fuzz(func(t *testing.T, source []byte) {
		if plain := strict(source); len(plain) != len(source) {
			t.Fatalf("strict changed the length from %d to %d", len(source), len(plain))
		}
		catalog := &Catalog{}
		catalog.read(location{file: "f", host: "claude-code", scope: User, must: true}, source)
		for _, entry := range catalog.Entries {
			if entry.Name == "" || entry.Command == "" && entry.URL == "" {
				t.Errorf("unusable entry %v", entry)
			}
		}
		if len(catalog.Entries) == 0 && len(catalog.Problems) == 0 && !strings.Contains(string(source), "ervers") {
			t.Errorf("%q gave neither entry nor problem", source)
		}
	})
}
