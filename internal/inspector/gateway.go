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
)

// Bounds of what is asked of a gateway.
const (
	gatewayTime  = 10 * time.Second
	gatewayBytes = 16 << 20
)

// Gateway asks a running gateway how it is. The address is the one that the person typed; a redirect leads nowhere else.
func (i *Inspector) Gateway(ctx context.Context, in GatewayInput) (GatewayState, error) {
	u, err := url.Parse(strings.TrimSpace(in.URL))
	switch {
	case err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https":
		return GatewayState{}, usage("%q is no address of a gateway", redact.URL(in.URL)).hint("it looks like http://127.0.0.1:6290/mcp: mcptest gateway prints it")
	case u.User != nil:
		return GatewayState{}, usage("the address has a user name in it").hint("give the token in its own field")
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
		return "", usage("the address cannot be asked: %v", err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	client := guard.Client(&guard.DialOptions{AllowPrivate: true})
	defer client.CloseIdleConnections()
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	answer, err := client.Do(r)
	if err != nil {
		return "", &Problem{Kind: KindUnreachable, Message: fmt.Sprintf("the gateway at %s does not answer", address), Cause: redact.Text(err.Error()), Hint: "is mcptest gateway running there?"}
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, gatewayBytes))
	switch {
	case answer.StatusCode == http.StatusUnauthorized || answer.StatusCode == http.StatusForbidden:
		return "", &Problem{Kind: KindAuth, Status: answer.StatusCode, Message: fmt.Sprintf("the gateway answers %d to the status request", answer.StatusCode), Hint: "give the token of one who may manage it"}
	case answer.StatusCode != http.StatusOK:
		return "", &Problem{Kind: KindUnreachable, Status: answer.StatusCode, Message: fmt.Sprintf("%s answers %d; want 200", address, answer.StatusCode), Hint: "is it the address of an mcptest gateway?"}
	case err != nil:
		return "", &Problem{Kind: KindUnreachable, Message: "the gateway's answer broke off", Cause: err.Error(), Hint: "try again"}
	case syntaxOf(string(text)) != nil:
		return "", &Problem{Kind: KindUnreachable, Message: "the answer is no status of a gateway", Hint: "is it the address of an mcptest gateway?"}
	}
	return string(text), nil
}
