package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
)

// An embeddingServer is an embeddings endpoint whose model knows a few concepts.
type embeddingServer struct {
	*httptest.Server
	mu       sync.Mutex
	requests int
	texts    map[string]int // how often each was sent
	largest  int            // texts in one request
	answer   atomic.Pointer[func(w http.ResponseWriter, r *http.Request, texts []string)]
}

const embeddingKey = "sk-test-0123456789abcdef"

func startEmbeddingServer(t *testing.T) *embeddingServer {
	t.Helper()
	e := &embeddingServer{texts: map[string]int{}}
	normal := e.normal
	e.answer.Store(&normal)
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			Model string   `json:"model"`
			Input []string `json:"input"`
		}
		body, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(body, &in); err != nil || in.Model != "small" || r.Method != http.MethodPost ||
			r.Header.Get("Authorization") != "Bearer "+embeddingKey || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s %s %v", r.Method, body, r.Header)
		}
		e.mu.Lock()
		e.requests++
		e.largest = max(e.largest, len(in.Input))
		for _, text := range in.Input {
			e.texts[text]++
		}
		e.mu.Unlock()
		(*e.answer.Load())(w, r, in.Input)
	}))
	t.Cleanup(e.Close)
	return e
}

// normal answers in another order than that of the request, which the API allows.
func (e *embeddingServer) normal(w http.ResponseWriter, _ *http.Request, texts []string) {
	type item struct {
		Object    string    `json:"object"`
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	}
	var data []item
	for i, text := range slices.Backward(texts) {
		data = append(data, item{"embedding", i, meaningOf(text)})
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "model": "small", "data": data,
		"usage": map[string]int{"prompt_tokens": 1, "total_tokens": 1}})
}

func (e *embeddingServer) count() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.requests
}

// meaningOf is a vector with a dimension for each of two concepts, and others for all other words.
func meaningOf(text string) []float32 {
	v := make([]float32, 32)
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return r < 'a' || r > 'z' }) {
		switch w {
		case "cat", "feline", "kitten":
			v[0] += 5
		case "mail", "letter", "correspondence":
			v[1] += 5
		default:
			h := fnv.New32()
			_, _ = h.Write([]byte(w))
			v[2+h.Sum32()%30]++
		}
	}
	return v
}

func embeddedCatalog(t *testing.T) *catalog.Catalog {
	t.Helper()
	c := catalog.New()
	t.Cleanup(func() { c.Close() })
	for name, about := range map[string]string{"cat_info": "Shows a cat.", "send_mail": "Sends mail."} {
		if _, err := c.Register(t.Context(), catalog.Tool{Name: name, Description: about}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 150 {
		if _, err := c.Register(t.Context(), catalog.Tool{Name: fmt.Sprint("filler", i),
			Description: fmt.Sprint("Padding of rows, number ", i)}); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func (e *embeddingServer) settings() *embeddingSettings {
	return &embeddingSettings{URL: e.URL + "/v1/embeddings", Model: "small", Key: &secretSource{value: embeddingKey},
		AllowPrivate: true, Timeout: duration{20 * time.Second}}
}

func foundBy(c *catalog.Catalog, query string, f catalog.Filter) (names []string) {
	for _, hit := range c.SearchContext(context.Background(), []string{query}, f) {
		names = append(names, hit.Tool.Name)
	}
	return names
}

func awaitTrue(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal(what + " did not come true")
		}
	}
}

// With an embeddings endpoint, tools are found by meaning as well; each text is sent once, in batches.
func TestEmbeddings(t *testing.T) {
	c, e := embeddedCatalog(t), startEmbeddingServer(t)
	if got := foundBy(c, "feline correspondence", catalog.Filter{}); len(got) > 0 {
		t.Fatalf("by words alone: %v, want none", got)
	}
	t.Cleanup(e.settings().start(c, slog.New(slog.DiscardHandler)))
	awaitTrue(t, "the vectors", func() bool { return e.count() >= 3 })
	awaitTrue(t, "a hit by meaning", func() bool {
		got := foundBy(c, "feline", catalog.Filter{})
		return len(got) > 0 && got[0] == "cat_info"
	})
	if got := foundBy(c, "send_mail", catalog.Filter{}); got[0] != "send_mail" {
		t.Errorf("a name: %v, want the tool of that name first", got)
	}
	if got := foundBy(c, "padding of rows", catalog.Filter{}); !strings.HasPrefix(got[0], "filler") {
		t.Errorf("words: %v, want the tools that have them", got)
	}
	noCats := catalog.Filter{Allow: func(t *catalog.Tool) bool { return t.Name != "cat_info" }}
	if got := foundBy(c, "feline", noCats); slices.Contains(got, "cat_info") {
		t.Errorf("a caller that may not see it finds it: %v", got)
	}
	before := e.count()
	foundBy(c, "feline", catalog.Filter{})
	if _, err := c.Register(t.Context(), catalog.Tool{Name: "pet", Description: "Feeds a kitten."}); err != nil {
		t.Fatal(err)
	}
	awaitTrue(t, "the new tool", func() bool { return slices.Contains(foundBy(c, "feline", catalog.Filter{}), "pet") })
	if got := e.count() - before; got != 1 {
		t.Errorf("%d requests for a known query and a new tool, want 1", got)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.largest > 64 {
		t.Errorf("%d texts in one request", e.largest)
	}
	for text, n := range e.texts {
		if n > 1 {
			t.Errorf("%q was sent %d times", text, n)
		}
	}
}

// An endpoint that is slow or broken does not stop searches: they are by words, and the log has the reason, once, without
// the key.
func TestEmbeddingsFail(t *testing.T) {
	c, e := embeddedCatalog(t), startEmbeddingServer(t)
	hang := make(chan struct{})
	defer close(hang)
	slow := func(_ http.ResponseWriter, r *http.Request, _ []string) {
		select {
		case <-hang:
		case <-r.Context().Done():
		}
	}
	var mu sync.Mutex
	var log bytes.Buffer
	logged := func() string { mu.Lock(); defer mu.Unlock(); return log.String() }
	o := e.settings().options(slog.New(slog.NewTextHandler(writerFunc(func(p []byte) (int, error) {
		mu.Lock()
		defer mu.Unlock()
		return log.Write(p)
	}), nil)))
	o.Retry, o.Timeout = time.Millisecond, 20*time.Millisecond
	t.Cleanup(c.StartEmbedding(o))
	byMeaning := func(query string) bool { return slices.Contains(foundBy(c, query, catalog.Filter{}), "cat_info") }
	n := 0
	fresh := func() string { n++; return fmt.Sprint("feline ", strings.Repeat("x", n)) } // not known to it yet
	awaitTrue(t, "a hit by meaning", func() bool { return byMeaning(fresh()) })
	e.answer.Store(&slow)
	awaitTrue(t, "a search without the endpoint", func() bool { return !byMeaning(fresh()) })
	if got := foundBy(c, "mail "+fresh(), catalog.Filter{}); len(got) == 0 || got[0] != "send_mail" {
		t.Errorf("with a slow endpoint: %v, want what has the words", got)
	}
	normal := e.normal
	e.answer.Store(&normal)
	awaitTrue(t, "a hit by meaning again", func() bool { return byMeaning(fresh()) })
	awaitTrue(t, "the log", func() bool { return strings.Contains(logged(), "available again") })
	if got := logged(); !strings.Contains(got, "searched by words alone") || strings.Contains(got, embeddingKey) {
		t.Errorf("log: %s", got)
	}
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// Responses that are not embeddings of the texts are rejected, and no text is sent elsewhere.
func TestEmbeddingResponses(t *testing.T) {
	e := startEmbeddingServer(t)
	var elsewhere atomic.Int64
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
	t.Cleanup(other.Close)
	client := e.settings()
	for name, test := range map[string]struct {
		status       int
		body, reason string
	}{
		"refused":   {401, `{"error":{"message":"bad key"}}`, "HTTP 401"},
		"redirect":  {307, ``, "HTTP 307"},
		"no JSON":   {200, `<html>`, "not a list of embeddings"},
		"too few":   {200, `{"data":[{"index":0,"embedding":[1,2]}]}`, "1 embeddings for 2 texts"},
		"twice":     {200, `{"data":[{"index":0,"embedding":[1,2]},{"index":0,"embedding":[1,2]}]}`, "invalid embeddings"},
		"no vector": {200, `{"data":[{"index":0,"embedding":[]},{"index":1,"embedding":[]}]}`, "invalid embeddings"},
		"lengths":   {200, `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}]}`, "invalid embeddings"},
		"too long": {200, `{"data":[{"index":0,"embedding":[1` + strings.Repeat(",1", maxDimensions) +
			`]},{"index":1,"embedding":[1]}]}`, "invalid embeddings"},
		"text":    {200, `{"data":[{"index":0,"embedding":"AAAA"},{"index":1,"embedding":"AAAA"}]}`, "not a list"},
		"outside": {200, `{"data":[{"index":7,"embedding":[1]},{"index":1,"embedding":[1]}]}`, "invalid embeddings"},
	} {
		answer := func(w http.ResponseWriter, _ *http.Request, _ []string) {
			w.Header().Set("Location", other.URL)
			w.WriteHeader(test.status)
			_, _ = io.WriteString(w, test.body)
		}
		e.answer.Store(&answer)
		_, err := client.options(slog.New(slog.DiscardHandler)).Embed(t.Context(), []string{"a", "b"})
		if err == nil || !strings.Contains(err.Error(), test.reason) {
			t.Errorf("%s: %v, want %q", name, err, test.reason)
		}
	}
	if elsewhere.Load() > 0 {
		t.Error("a redirect was followed")
	}
	client.AllowPrivate = false
	if _, err := client.options(slog.New(slog.DiscardHandler)).Embed(t.Context(), []string{"a"}); err == nil ||
		!strings.Contains(err.Error(), "blocked") {
		t.Errorf("a loopback address without allow_private: %v", err)
	}
}

// Some endpoints have their key in the URL. The error of one that cannot be reached, which is logged, is without it.
func TestEmbeddingErrorHasNoURL(t *testing.T) {
	e := startEmbeddingServer(t)
	s := e.settings()
	s.URL += "?api-key=" + embeddingKey
	e.Close()
	_, err := s.options(slog.New(slog.DiscardHandler)).Embed(t.Context(), []string{"cat"})
	if err == nil || strings.Contains(err.Error(), embeddingKey) {
		t.Errorf("got %v, want an error without the URL", err)
	}
}
