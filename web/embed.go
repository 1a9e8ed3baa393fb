// Package web is the page of mcptest inspect, built by tools/webbuild and carried inside the binary.
package web

//go:generate go run ../tools/webbuild -dir .

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io"
	"net/http"
	"path"
	"strconv"
	"strings"
)

//go:embed dist/*.gz
var dist embed.FS

// A file is one part of the page, compressed as it is sent.
type file struct {
	content []byte
	kind    string // its media type
	tag     string
	lasting bool // its name changes with its content
}

// Handler serves the page and what it loads. It sets no policy headers: whoever mounts it does, for every route.
func Handler() http.Handler {
	files := read()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/")
		if name == "" {
			name = "index.html"
		}
		f, ok := files[name]
		switch {
		case !ok:
			http.NotFound(w, r)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "want GET", http.StatusMethodNotAllowed)
		default:
			f.serve(w, r)
		}
	})
}

// Parts lists the files that the page loads, by the path that they are served at.
func Parts() []string {
	var names []string
	for name := range read() {
		names = append(names, "/"+name)
	}
	return names
}

func read() map[string]file {
	files := map[string]file{}
	entries, _ := dist.ReadDir("dist")
	for _, entry := range entries {
		content, _ := dist.ReadFile("dist/" + entry.Name())
		name := strings.TrimSuffix(entry.Name(), ".gz")
		sum := sha256.Sum256(content)
		files[name] = file{content: content, kind: mediaType(name), tag: `"` + hex.EncodeToString(sum[:12]) + `"`,
			lasting: strings.Contains(name, "-")}
	}
	return files
}

// mediaType names the type here, since that of the machine's own table differs between machines.
func mediaType(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	}
	return "text/plain; charset=utf-8"
}

func (f file) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("ETag", f.tag)
	h.Set("Vary", "Accept-Encoding")
	h.Set("Cache-Control", "no-cache")
	if f.lasting {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if strings.Contains(r.Header.Get("If-None-Match"), f.tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	content := f.content
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
	} else {
		content = expand(content)
	}
	h.Set("Content-Length", strconv.Itoa(len(content)))
	if r.Method == http.MethodGet {
		_, _ = w.Write(content)
	}
}

// expand is for the rare client that takes no gzip.
func expand(compressed []byte) []byte {
	r, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return nil
	}
	plain, _ := io.ReadAll(r)
	return plain
}
