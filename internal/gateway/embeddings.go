package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/netguard"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// embeddingSettings are the field embeddings of the settings.
type embeddingSettings struct {
	URL   string        `json:"url"`   // of an OpenAI-compatible endpoint, such as https://api.openai.com/v1/embeddings
	Model string        `json:"model"` // such as text-embedding-3-small
	Key   *secretSource `json:"key"`   // of the endpoint, if it requires one
	// how long a search waits for the endpoint; then it is by words alone (default 500ms)
	Timeout      duration `json:"timeout"`
	AllowPrivate bool     `json:"allow_private"` // allow loopback and private addresses
}

const defaultEmbeddingTimeout = 500 * time.Millisecond

// Limits of the response of an embeddings endpoint.
const (
	maxEmbeddings = 64 << 20 // bytes
	maxDimensions = 8192
)

// check returns what is wrong with the settings; nil if nothing is.
func (s *embeddingSettings) check(file string) error {
	u, err := url.Parse(s.URL)
	private := s.AllowPrivate
	switch {
	case err != nil || u.Host == "" || u.User != nil || u.Scheme != "https" && !(u.Scheme == "http" && private):
		return &workbench.UsageError{Message: fmt.Sprintf("%s: gateway: embeddings: url is %q, expected an https URL", file,
			redact.URL(s.URL)), Hint: "http is for private addresses, with \"allow_private\": true"}
	case s.Model == "":
		return &workbench.UsageError{Message: file + ": gateway: embeddings: missing model",
			Hint: "use a model of the endpoint, such as text-embedding-3-small"}
	case s.Timeout.Duration < 0:
		return &workbench.UsageError{Message: file + ": gateway: embeddings: timeout must not be negative"}
	}
	return nil
}

// start uses an embeddings endpoint for the search of tools, if there is one in the settings.
func (s *embeddingSettings) start(tools *catalog.Catalog, log *slog.Logger) (stop func()) {
	if s == nil {
		return func() {}
	}
	return tools.StartEmbedding(s.options(log))
}

func (s *embeddingSettings) options(log *slog.Logger) catalog.EmbedOptions {
	timeout := s.Timeout.Duration
	if timeout == 0 {
		timeout = defaultEmbeddingTimeout
	}
	client := netguard.Client(&netguard.DialOptions{AllowPrivate: s.AllowPrivate})
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return catalog.EmbedOptions{Timeout: timeout,
		Embed: func(ctx context.Context, texts []string) ([][]float32, error) { return s.embed(ctx, client, texts) },
		OnState: func(err error) {
			if err != nil {
				log.Warn("no embeddings; tools are searched by words alone", "model", s.Model, "error", err.Error())
			} else {
				log.Info("embeddings are available again", "model", s.Model)
			}
		}}
}

// embed requests the vectors of texts.
func (s *embeddingSettings) embed(ctx context.Context, client *http.Client, texts []string) ([][]float32, error) {
	body, err := json.Marshal(map[string]any{"model": s.Model, "input": texts, "encoding_format": "float"})
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if s.Key != nil {
		req.Header.Set("Authorization", "Bearer "+s.Key.value)
	}
	resp, err := client.Do(req)
	if failed := (*url.Error)(nil); errors.As(err, &failed) {
		return nil, failed.Err // without the URL, which may have a key
	}
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the endpoint returned HTTP %d", resp.StatusCode)
	}
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxEmbeddings+1))
	if err != nil {
		return nil, err
	}
	if len(answer) > maxEmbeddings {
		return nil, fmt.Errorf("the response of the endpoint is larger than %d bytes", maxEmbeddings)
	}
	return readEmbeddings(answer, len(texts))
}

// readEmbeddings reads the vectors of a response, one for each text.
func readEmbeddings(answer []byte, texts int) ([][]float32, error) {
	var read struct {
		Data []struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		} `json:"data"`
	}
	if err := json.Unmarshal(answer, &read); err != nil {
		return nil, errors.New("the response of the endpoint is not a list of embeddings")
	}
	vectors := make([][]float32, texts)
	for _, d := range read.Data {
		if d.Index < 0 || d.Index >= texts || vectors[d.Index] != nil || len(d.Embedding) == 0 ||
			len(d.Embedding) > maxDimensions || len(d.Embedding) != len(read.Data[0].Embedding) {
			return nil, errors.New("the endpoint returned invalid embeddings")
		}
		vectors[d.Index] = d.Embedding
	}
	if len(read.Data) != texts {
		return nil, fmt.Errorf("the endpoint returned %d embeddings for %d texts", len(read.Data), texts)
	}
	return vectors, nil
}
