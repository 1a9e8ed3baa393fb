package catalog

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"strings"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
)

// EmbedOptions add the meaning of texts to the search by words, by the vectors of an embedding model.
type EmbedOptions struct {
	Embed   func(ctx context.Context, texts []string) ([][]float32, error) // a vector for each text
	Timeout time.Duration                                                  // of a search; then only words count
	Retry   time.Duration                                                  // after a failure nothing is sent for this long; 0 means 10 s
	// OnState receives an error if there are no vectors for now, and nil once there are again.
	OnState func(error)
}

// Limits of embeddings.
const (
	embedBatch   = 64     // texts in one request
	embedText    = 2000   // characters of a text
	maxVectors   = 20_000 // tools with a vector; the others are found by words
	maxQueries   = 500    // queries whose vectors are in memory
	embedTimeout = 30 * time.Second
	embedRetry   = 10 * time.Second
)

// An embedder gets the vectors of tools in the background, and those of queries when they are needed.
type embedder struct {
	opts EmbedOptions
	wake chan struct{} // has an element when a tool may lack its vector

	mu      sync.Mutex
	queries map[string][]float32
	failed  time.Time // when the last request failed; zero if it did not
}

// StartEmbedding uses embeddings in searches with a context until the returned function is called. It is called at most
// once, before the first search.
func (c *Catalog) StartEmbedding(o EmbedOptions) (stop func()) {
	o.Retry = cmp.Or(o.Retry, embedRetry)
	e := &embedder{opts: o, wake: make(chan struct{}, 1), queries: map[string][]float32{}}
	c.mu.Lock()
	c.embedder = e
	c.mu.Unlock()
	ctx, cancel := context.WithCancel(context.Background())
	changes := c.Watch(ctx)
	var done sync.WaitGroup
	done.Go(func() {
		for range changes {
			e.wakeUp()
		}
	})
	done.Go(func() { c.embedTools(ctx, e) })
	return func() { cancel(); done.Wait() }
}

func (e *embedder) wakeUp() {
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

// embedTools gets the vectors of tools that have none.
func (c *Catalog) embedTools(ctx context.Context, e *embedder) {
	for ctx.Err() == nil {
		texts := c.withoutVector()
		if len(texts) == 0 {
			select {
			case <-e.wake:
			case <-ctx.Done():
			}
			continue
		}
		vectors, err := e.request(ctx, texts, embedTimeout)
		if err != nil {
			select {
			case <-time.After(e.opts.Retry):
			case <-ctx.Done():
			}
			continue
		}
		c.mu.Lock()
		for i, text := range texts {
			c.vectors[sha256.Sum256([]byte(text))] = vectors[i]
		}
		c.mu.Unlock()
	}
}

// withoutVector assigns the known vectors to the tools in the index, and returns some texts whose vectors are unknown.
// Vectors that no tool needs are dropped if there are many.
func (c *Catalog) withoutVector() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.vectors == nil || len(c.vectors) > maxVectors+len(c.index.numbers) {
		c.vectors = map[[sha256.Size]byte][]float32{}
		for n := range c.index.entries {
			c.index.entries[n].vector = nil
		}
	}
	var texts []string
	had, count := map[string]bool{}, 0
	for n := range c.index.entries {
		e := &c.index.entries[n]
		if count++; e.tool == nil || e.vector != nil || count > maxVectors {
			continue
		}
		text := embeddedText(e.tool)
		if e.vector = c.vectors[sha256.Sum256([]byte(text))]; e.vector == nil && !had[text] && len(texts) < embedBatch {
			had[text] = true
			texts = append(texts, text)
		}
	}
	return texts
}

// embeddedText is the text of a tool for a model.
func embeddedText(t *Tool) string {
	var names []string
	eachParameter(t.Parameters, func(name, _ string) { names = append(names, name) })
	return clip.Runes(fmt.Sprintf("%s %s %s: %s (%s)", t.Server, strings.NewReplacer("_", " ", "-", " ").Replace(t.Name),
		t.Title, t.Description, strings.Join(names, ", ")), embedText)
}

// request gets the vectors of texts, each of length 1.
func (e *embedder) request(ctx context.Context, texts []string, timeout time.Duration) ([][]float32, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	vectors, err := e.opts.Embed(ctx, texts)
	if err == nil && len(vectors) != len(texts) {
		err = fmt.Errorf("%d vectors for %d texts", len(vectors), len(texts))
	}
	e.mu.Lock()
	before := !e.failed.IsZero()
	if e.failed = (time.Time{}); err != nil {
		e.failed = time.Now()
	}
	e.mu.Unlock()
	if (err != nil) != before && e.opts.OnState != nil {
		e.opts.OnState(err)
	}
	for _, v := range vectors {
		normalize(v)
	}
	return vectors, err
}

func normalize(v []float32) {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if length := math.Sqrt(sum); length > 0 {
		for i := range v {
			v[i] = float32(float64(v[i]) / length)
		}
	}
}

// vectorsOf returns the vectors of queries; nil if there are none in time.
func (e *embedder) vectorsOf(ctx context.Context, queries []string) [][]float32 {
	out := make([][]float32, len(queries))
	var missing []string
	var places []int
	e.mu.Lock()
	for i, q := range queries {
		if out[i] = e.queries[q]; out[i] == nil {
			missing, places = append(missing, clip.Runes(q, embedText)), append(places, i)
		}
	}
	resting := time.Since(e.failed) < e.opts.Retry
	e.mu.Unlock()
	if len(missing) == 0 {
		return out
	}
	if resting {
		return nil
	}
	vectors, err := e.request(ctx, missing, e.opts.Timeout)
	if err != nil {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for i, place := range places {
		out[place] = vectors[i]
		for q := range e.queries {
			if len(e.queries) < maxQueries {
				break
			}
			delete(e.queries, q)
		}
		e.queries[queries[place]] = vectors[i]
	}
	return out
}
