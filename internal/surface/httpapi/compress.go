package httpapi

import (
	"compress/gzip"
	"net/http"
	"strings"
)

// Sizes of a first write: from which compression saves anything, and above which it must be fast.
const (
	minCompressed = 512
	maxThorough   = 256 << 10
)

// A compressor compresses a response if the client accepts it. It decides at the first write, so that short responses
// and those without a body are sent as they are.
type compressor struct {
	http.ResponseWriter
	status int
	begun  bool
	zip    *gzip.Writer
}

// WriteHeader stores the status until the first write.
func (c *compressor) WriteHeader(status int) {
	if c.status == 0 {
		c.status = status
	}
}

// Write compresses what is worth it.
func (c *compressor) Write(p []byte) (int, error) {
	if !c.begun && len(p) >= minCompressed && compressible(c.Header()) {
		c.Header().Set("Content-Encoding", "gzip")
		c.Header().Del("Content-Length")
		level := gzip.DefaultCompression
		if len(p) > maxThorough {
			level = gzip.BestSpeed
		}
		c.zip, _ = gzip.NewWriterLevel(c.ResponseWriter, level)
	}
	c.begin()
	if c.zip != nil {
		return c.zip.Write(p)
	}
	return c.ResponseWriter.Write(p)
}

// Unwrap lets a ResponseController reach the connection.
func (c *compressor) Unwrap() http.ResponseWriter { return c.ResponseWriter }

func (c *compressor) begin() {
	if c.begun {
		return
	}
	c.begun = true
	if c.status != 0 {
		c.ResponseWriter.WriteHeader(c.status)
	}
}

// close completes the response.
func (c *compressor) close() {
	c.begin()
	if c.zip != nil {
		_ = c.zip.Close() // the client has disconnected
	}
}

// compressible reports whether content is not compressed by its own format.
func compressible(h http.Header) bool {
	kind := h.Get("Content-Type")
	return h.Get("Content-Encoding") == "" && !strings.HasPrefix(kind, "image/") && !strings.HasPrefix(kind, "audio/")
}

func acceptsGzip(r *http.Request) bool {
	for _, coding := range strings.Split(r.Header.Get("Accept-Encoding"), ",") {
		name, quality, _ := strings.Cut(strings.TrimSpace(coding), ";")
		if name == "gzip" && strings.TrimSpace(quality) != "q=0" {
			return true
		}
	}
	return false
}
