package npm

import (
	"bytes"
	"image"
	"image/draw"
	"image/png"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A Network serves what the examples read from the internet, under the same names: CesiumJS of cesium.com, from the
// package of the same version, tiles of a map, and a page of an encyclopedia. Browsers check their policies as usual,
// because they see the real names.
type Network struct {
	address string // of the HTTPS server
	plain   string // URL of the HTTP server
}

// tileColor is the color of the map. The globe shows it through its atmosphere.
var tileColor = rgb(0xff00ff)

// cesiumPath is where the view of the example map loads its library.
const cesiumPath = "/downloads/cesiumjs/releases/1.123/Build/Cesium/"

// Network starts the servers until the test ends.
func (in Install) Network(t testing.TB) *Network {
	t.Helper()
	cesium := http.StripPrefix(cesiumPath, http.FileServer(http.Dir(filepath.Join(in.dir, "cesium", "Build", "Cesium"))))
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		switch {
		case r.Host == "cesium.com" && strings.HasPrefix(r.URL.Path, cesiumPath):
			cesium.ServeHTTP(w, r)
		case r.Host == "tile.openstreetmap.org":
			w.Header().Set("Content-Type", "image/png")
			_, _ = w.Write(tile())
		case strings.HasPrefix(r.URL.Path, "/wiki/"):
			_, _ = io.WriteString(w, `<p><a href="/wiki/Alpha">Alpha</a> <a href="/wiki/Beta">Beta</a> <a href="/wiki/Gamma">Gamma</a>`)
		default:
			http.NotFound(w, r)
		}
	})
	secure := httptest.NewUnstartedServer(handler)
	secure.Config.ErrorLog = log.New(io.Discard, "", 0) // a browser closes connections that it does not need
	secure.StartTLS()
	t.Cleanup(secure.Close)
	open := httptest.NewServer(handler)
	t.Cleanup(open.Close)
	return &Network{address: secure.Listener.Addr().String(), plain: open.URL}
}

// Flags make a Chromium use this network instead of the internet.
func (n *Network) Flags() map[string]any {
	return map[string]any{"ignore-certificate-errors": true, "host-resolver-rules": "MAP cesium.com " + n.address +
		",MAP *.openstreetmap.org " + n.address + ",MAP unpkg.com " + n.address}
}

// Browser writes a program that starts a Chromium with the flags.
func (n *Network) Browser(t testing.TB, path string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "browser")
	text := "#!/bin/sh\nexec '" + path + "' '--host-resolver-rules=" + n.Flags()["host-resolver-rules"].(string) +
		"' --ignore-certificate-errors \"$@\"\n"
	if err := os.WriteFile(file, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	return file
}

// redirect is a module with which Node reads an origin from this network.
func (n *Network) redirect(origin string) string {
	return "data:text/javascript," + url.PathEscape(`const real = globalThis.fetch; globalThis.fetch = (u, ...rest) => `+
		`real(String(u).replace("`+origin+`", "`+n.plain+`"), ...rest);`)
}

func tile() []byte {
	picture := image.NewRGBA(image.Rect(0, 0, 256, 256))
	draw.Draw(picture, picture.Bounds(), image.NewUniform(tileColor), image.Point{}, draw.Src)
	var out bytes.Buffer
	_ = png.Encode(&out, picture) // a buffer does not fail
	return out.Bytes()
}
