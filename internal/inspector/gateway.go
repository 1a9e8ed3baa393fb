package inspector

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/guard"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/redirect"
)

// Limits of requests to a gateway.
const (
	gatewayTime  = 10 * time.Second
	gatewayBytes = 16 << 20
)

// Gateway requests the status of a running gateway. The URL is entered by the user; redirects are not followed.
func (i *Inspector) Gateway(ctx context.Context, in GatewayInput) (GatewayState, error) {
	u, err := url.Parse(strings.TrimSpace(in.URL))
	switch {
	case err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https":
		return GatewayState{}, usage("%q is not the URL of a gateway", redact.URL(in.URL)).hint("use the URL that mcptest gateway prints, such as http://127.0.0.1:6290/mcp")
	case u.User != nil:
		return GatewayState{}, usage("the URL contains a user name").hint("enter the token in its own field")
	}
	u.Path, u.RawQuery, u.Fragment = "/status", "", ""
	if in.Query != "" {
		u.RawQuery = url.Values{"q": {in.Query}}.Encode()
	}
	if in.Token != "" {
		i.bench.Secrets.Add(in.Token)
	}
	ctx, stop := context.WithTimeout(ctx, gatewayTime)
	defer stop()
	text, err := fetchStatus(ctx, u.String(), in.Token)
	if err != nil {
		return GatewayState{}, err
	}
	return GatewayState{URL: in.URL, StatusJSON: text}, nil
}

func fetchStatus(ctx context.Context, address, token string) (string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", usage("invalid URL: %v", err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	client := guard.Client(&guard.DialOptions{AllowPrivate: true})
	defer client.CloseIdleConnections()
	client.CheckRedirect = redirect.None
	answer, err := client.Do(r)
	if err != nil {
		return "", &Problem{Kind: KindUnreachable, Message: fmt.Sprintf("no response from the gateway at %s", address), Cause: redact.Text(err.Error()), Hint: "check that mcptest gateway is running there"}
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, gatewayBytes))
	switch {
	case answer.StatusCode == http.StatusUnauthorized || answer.StatusCode == http.StatusForbidden:
		return "", &Problem{Kind: KindAuth, Status: answer.StatusCode, Message: fmt.Sprintf("the gateway returned HTTP %d for the status request", answer.StatusCode), Hint: "enter the token of a caller that may manage the gateway"}
	case answer.StatusCode != http.StatusOK:
		return "", &Problem{Kind: KindUnreachable, Status: answer.StatusCode, Message: fmt.Sprintf("%s returned HTTP %d, expected 200", address, answer.StatusCode), Hint: "check that this is the URL of an mcptest gateway"}
	case err != nil:
		return "", &Problem{Kind: KindUnreachable, Message: "the response of the gateway was cut off", Cause: err.Error(), Hint: "try again"}
	case syntaxOf(string(text)) != nil:
		return "", &Problem{Kind: KindUnreachable, Message: "the response is not a gateway status", Hint: "check that this is the URL of an mcptest gateway"}
	}
	return string(text), nil
}
