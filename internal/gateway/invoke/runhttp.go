package invoke

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
)

// maxResponse is the maximum size of an HTTP response for a result.
const maxResponse = 4 << 20

// placeholder matches an argument in a URL: {name}.
var placeholder = regexp.MustCompile(`\{([A-Za-z0-9_.-]+)\}`)

// runHTTP sends the HTTP request of a tool. Arguments fill the placeholders of the path and the query; a request with a
// body sends the arguments as JSON, or the body that the tool defines.
func (v *Invoker) runHTTP(ctx context.Context, t *catalog.Tool, run *catalog.HTTPRun,
	arguments json.RawMessage) (json.RawMessage, error) {
	req, err := v.request(ctx, run, arguments)
	if err != nil {
		return nil, err
	}
	resp, err := v.Client.Do(req)
	if err != nil {
		var wrapped *url.Error
		if errors.As(err, &wrapped) {
			err = wrapped.Err // its text includes the URL with the arguments
		}
		return nil, err
	}
	defer resp.Body.Close()
	return responseBody(resp)
}

// request creates the request, to an allowed host.
func (v *Invoker) request(ctx context.Context, run *catalog.HTTPRun, arguments json.RawMessage) (*http.Request, error) {
	address, err := v.address(run.URL, arguments)
	if err != nil {
		return nil, err
	}
	var body io.Reader
	if run.Method != http.MethodGet && run.Method != http.MethodHead && run.Method != "" {
		body = bytes.NewReader(arguments)
		if run.Body != "" {
			body = strings.NewReader(run.Body)
		}
	}
	req, err := http.NewRequestWithContext(ctx, run.Method, address, body)
	if err != nil {
		return nil, errors.New("cannot create the request")
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	for name, value := range run.Header {
		req.Header.Set(name, value)
	}
	return req, nil
}

// responseBody converts an HTTP response to a result: its JSON, or else its text.
func responseBody(resp *http.Response) (json.RawMessage, error) {
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxResponse+1))
	switch {
	case err != nil:
		return nil, err
	case len(answer) > maxResponse:
		return nil, fmt.Errorf("the response is larger than %d bytes", maxResponse)
	case resp.StatusCode >= 400:
		return nil, fmt.Errorf("HTTP %d %s", resp.StatusCode, http.StatusText(resp.StatusCode))
	case json.Valid(answer):
		return resultOf(answer)
	}
	quoted, err := json.Marshal(string(answer))
	if err != nil {
		return nil, err
	}
	return resultOf(quoted)
}

// address fills a URL's placeholders. The values cannot change the host, which must be an allowed one.
func (v *Invoker) address(template string, arguments json.RawMessage) (string, error) {
	u, err := url.Parse(placeholder.ReplaceAllString(template, "x"))
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") {
		return "", errors.New("the URL of the tool is not an http or https URL")
	}
	host, rest, _ := strings.Cut(strings.TrimPrefix(template, u.Scheme+"://"), "/")
	if placeholder.MatchString(host) || u.User != nil || !v.reaches(u.Host, u.Hostname()) {
		return "", fmt.Errorf("host %q is not allowed; add it to \"http_hosts\" under \"gateway\" in the config",
			u.Host)
	}
	var values map[string]json.RawMessage
	if err := json.Unmarshal(arguments, &values); err != nil {
		return "", err
	}
	filled := placeholder.ReplaceAllStringFunc(rest, func(hole string) string {
		raw := values[hole[1:len(hole)-1]]
		var text string
		if json.Unmarshal(raw, &text) != nil {
			text = string(raw)
		}
		return url.QueryEscape(text)
	})
	return u.Scheme + "://" + host + "/" + filled, nil
}
