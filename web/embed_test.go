package web

import (
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// firstLoadLimit is what the page may weigh before it can be used, in bytes on the wire.
const firstLoadLimit = 80_000

func get(t *testing.T, path string, header ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	Handler().ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, r *http.Response) string {
	t.Helper()
	content, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

var loaded = regexp.MustCompile(`(?:src|href)="(/[^"]+)"`)

func TestFirstLoadIsSmall(t *testing.T) {
	page := body(t, get(t, "/"))
	total := len(body(t, get(t, "/", "Accept-Encoding", "gzip")))
	parts := loaded.FindAllStringSubmatch(page, -1)
	if len(parts) < 2 {
		t.Fatalf("the page loads %d files, want a script and a style sheet:\n%s", len(parts), page)
	}
	for _, part := range parts {
		got := get(t, part[1], "Accept-Encoding", "gzip")
		if got.StatusCode != http.StatusOK {
			t.Fatalf("%s: status %d, want 200", part[1], got.StatusCode)
		}
		total += len(body(t, got))
	}
	if total > firstLoadLimit {
		t.Errorf("the first load is %d bytes compressed, want at most %d", total, firstLoadLimit)
	}
	t.Logf("first load: %d bytes compressed in %d files", total, len(parts)+1)
}

// staticImport matches what a script loads with itself; what it loads later is in import("…").
var staticImport = regexp.MustCompile(`(?:from|import)\s*"\.(/[^"]+)"`)

// The host of MCP Apps is a part that is loaded with the first view, and not with the page.
func TestAppHostIsLoadedLater(t *testing.T) {
	const code = "ui/resource-teardown" // only the host has it
	var first []string
	for _, part := range loaded.FindAllStringSubmatch(body(t, get(t, "/")), -1) {
		first = append(first, part[1])
	}
	for i := 0; i < len(first); i++ {
		script := body(t, get(t, first[i]))
		if strings.Contains(script, code) {
			t.Errorf("%s has the host of MCP Apps, and is loaded with the page", first[i])
		}
		for _, more := range staticImport.FindAllStringSubmatch(script, -1) {
			if !slices.Contains(first, more[1]) {
				first = append(first, more[1])
			}
		}
	}
	later := slices.DeleteFunc(Parts(), func(part string) bool {
		return slices.Contains(first, part) || strings.HasPrefix(part, "/headless-") || !strings.Contains(body(t, get(t, part)), code)
	})
	if len(later) != 1 {
		t.Errorf("parts with the host of MCP Apps: %q, want one that is loaded later", later)
	}
}

func TestServesTypesAndCaching(t *testing.T) {
	for _, path := range append(Parts(), "/") {
		plain, packed := get(t, path), get(t, path, "Accept-Encoding", "br, gzip")
		kind, caching := plain.Header.Get("Content-Type"), plain.Header.Get("Cache-Control")
		switch {
		case strings.HasSuffix(path, ".js") && kind != "text/javascript; charset=utf-8",
			strings.HasSuffix(path, ".css") && kind != "text/css; charset=utf-8",
			path == "/" && kind != "text/html; charset=utf-8":
			t.Errorf("%s: type %q", path, kind)
		}
		if lasts := strings.Contains(path, "-"); lasts != strings.Contains(caching, "immutable") {
			t.Errorf("%s: Cache-Control %q", path, caching)
		}
		if packed.Header.Get("Content-Encoding") != "gzip" || plain.Header.Get("Content-Encoding") != "" {
			t.Errorf("%s: Content-Encoding %q with gzip, %q without", path, packed.Header.Get("Content-Encoding"),
				plain.Header.Get("Content-Encoding"))
		}
		if again := get(t, path, "If-None-Match",
			plain.Header.Get("ETag")); again.StatusCode != http.StatusNotModified {
			t.Errorf("%s: status %d for its own ETag, want 304", path, again.StatusCode)
		}
	}
	if got := get(t, "/nowhere").StatusCode; got != http.StatusNotFound {
		t.Errorf("/nowhere: status %d, want 404", got)
	}
}

// A policy without exceptions is only possible if the page has no script or style of its own.
func TestPageHasNothingInline(t *testing.T) {
	page := body(t, get(t, "/"))
	for _, inline := range []string{"<style", "style=", "onload=", "<script>", "javascript:"} {
		if strings.Contains(page, inline) {
			t.Errorf("the page contains %s", inline)
		}
	}
}
