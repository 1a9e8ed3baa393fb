package auth

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestStore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tokens")
	s := NewStore(dir)
	g := &Grant{Server: "https://host.example/mcp", Resource: "https://host.example", Issuer: "https://issuer.example",
		TokenEndpoint: "https://issuer.example/token",
		Client:        Client{ID: "me", Secret: "hush-hush", Method: "client_secret_basic"}, Kind: AuthorizationCode,
		Requested: []string{"a"}, AccessToken: "one", RefreshToken: "two",
		Obtained: time.Now().UTC().Truncate(time.Second)}
	if got, err := s.Load(g.Server); got != nil || err != nil {
		t.Errorf("Load of nothing = %v, %v", got, err)
	}
	if err := s.Save(g); err != nil {
		t.Fatal(err)
	}
	for _, spelling := range []string{g.Server, "HTTPS://Host.Example:443/mcp", "https://host.example/mcp#x"} {
		got, err := s.Load(spelling)
		if err != nil || cmp.Diff(g, got) != "" {
			t.Errorf("Load(%s): %v\n%s", spelling, err, cmp.Diff(g, got))
		}
	}
	for _, other := range []string{"https://host.example/mcp/", "https://host.example/",
		"https://host.example/mcp?tenant=2", "http://host.example/mcp", "https://host.example:8443/mcp"} {
		if got, err := s.Load(other); got != nil || err != nil {
			t.Errorf("Load(%s) = %v, %v; want nothing: it is another server", other, got, err)
		}
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(files) != 1 || strings.Contains(files[0], "example") {
		t.Errorf("files %q", files)
	}
	if info, err := os.Stat(files[0]); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o600) {
		t.Errorf("mode %v, %v; want 0600", info.Mode(), err)
	}
	if removed, err := s.Remove(g.Server); !removed || err != nil {
		t.Errorf("Remove = %v, %v", removed, err)
	}
	if removed, err := s.Remove(g.Server); removed || err != nil {
		t.Errorf("Remove of nothing = %v, %v", removed, err)
	}
}

// A file that others could read, that is no grant, or that belongs to another server is not used.
func TestStoreRefuses(t *testing.T) {
	s := NewStore(t.TempDir())
	const server = "https://host.example/mcp"
	file, _, err := s.file(server)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"no JSON": "{", "no token": `{"server":"` + server + `"}`,
		"another server": `{"server":"https://evil.example","access_token":"x"}`} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if g, err := s.Load(server); g != nil || err == nil {
			t.Errorf("%s: %v, %v", name, g, err)
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	if err := os.WriteFile(file, []byte(`{"server":"`+server+`","access_token":"x"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	if g, err := s.Load(server); g != nil || err == nil || !strings.Contains(err.Error(), "readable by others") {
		t.Errorf("readable by all: %v, %v", g, err)
	}
}
