package inspector

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/guard"
)

// Bounds of what a gateway may take to tell of itself.
const (
	gatewayPatience = 10 * time.Second
	gatewayMost     = 8 << 20
)

// Gateway asks a running gateway how it is doing. The person has typed its address, so that it may be a private one; what
// it redirects to is not followed, as the token is for it alone.
func (i *Inspector) Gateway(ctx context.Context, in GatewayInput) (GatewayState, error) {
	at, err := gatewayStatus(in)
	if err != nil {
		return GatewayState{}, err
	}
	i.bench.Secrets.Add(in.Token)
	ctx, cancel := context.WithTimeout(ctx, gatewayPatience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return GatewayState{}, usage("the address cannot be used: %v", err)
	}
	if in.Token != "" {
		request.Header.Set("Authorization", "Bearer "+in.Token)
	}
	client := guard.Client(&guard.DialOptions{AllowPrivate: true})
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	answer, err := client.Do(request)
	if err != nil {
		return GatewayState{}, (&Problem{Kind: KindUnreachable, Message: "the gateway cannot be reached", Cause: err.Error()}).hint("is it running, and at this address?")
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, gatewayMost+1))
	switch {
	case err != nil:
		return GatewayState{}, &Problem{Kind: KindUnreachable, Message: "the gateway stopped answering", Cause: err.Error()}
	case answer.StatusCode == http.StatusUnauthorized:
		return GatewayState{}, (&Problem{Kind: KindAuth, Message: "the gateway wants a token", Status: answer.StatusCode}).hint("it printed one when it was started, unless its config lists callers")
	case answer.StatusCode != http.StatusOK:
		return GatewayState{}, (&Problem{Kind: KindUnreachable, Message: fmt.Sprintf("the answer is HTTP %d; want 200", answer.StatusCode), Status: answer.StatusCode}).hint("is it a gateway of mcptest?")
	case len(body) > gatewayMost || !json.Valid(body):
		return GatewayState{}, (&Problem{Kind: KindUnreachable, Message: "the answer is no status of a gateway"}).hint("is it a gateway of mcptest?")
	}
	return GatewayState{URL: in.URL, StatusJSON: string(body)}, nil
}

// gatewayStatus is where a gateway tells of itself, given where clients reach it.
func gatewayStatus(in GatewayInput) (string, error) {
	u, err := url.Parse(strings.TrimSpace(in.URL))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return "", usage("%q is no address of a gateway", in.URL).hint("http://127.0.0.1:8080/mcp, as it was printed")
	}
	u.Path, u.RawQuery, u.Fragment, u.User = "/status", url.Values{"q": {in.Query}}.Encode(), "", nil
	return u.String(), nil
}
