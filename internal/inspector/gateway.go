package inspector

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/netguard"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/redirect"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// Limits of requests to a gateway.
const (
	gatewayTimeout = 10 * time.Second
	gatewayBytes   = 16 << 20
)

// Gateway requests the status of a running gateway. The URL is entered by the user; redirects are not followed.
func (i *Inspector) Gateway(ctx context.Context, in view.GatewayInput) (view.GatewayState, error) {
	u, err := i.gatewayURL(in.URL, in.Token, "/status")
	if err != nil {
		return view.GatewayState{}, err
	}
	if in.Query != "" {
		u.RawQuery = url.Values{"q": {in.Query}}.Encode()
	}
	ctx, stop := context.WithTimeout(ctx, gatewayTimeout)
	defer stop()
	text, err := requestGateway(ctx, http.MethodGet, u.String(), in.Token, nil)
	if err != nil {
		return view.GatewayState{}, err
	}
	return view.GatewayState{URL: in.URL, StatusJSON: text}, nil
}

// ApproveAtGateway approves quarantined definitions of a running gateway.
func (i *Inspector) ApproveAtGateway(ctx context.Context, in view.GatewayApproval) error {
	u, err := i.gatewayURL(in.URL, in.Token, "/catalog/approve")
	if err != nil {
		return err
	}
	body, err := json.Marshal(map[string]any{"items": in.Items})
	if err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(ctx, gatewayTimeout)
	defer stop()
	_, err = requestGateway(ctx, http.MethodPost, u.String(), in.Token, body)
	return err
}

// gatewayURL is the URL of a path of the gateway that the user entered.
func (i *Inspector) gatewayURL(address, token, path string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(address))
	switch {
	case err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https":
		return nil, view.Usage("%q is not the URL of a gateway",
			redact.URL(address)).WithHint("use the URL that mcptest gateway prints, such as http://127.0.0.1:6290/mcp")
	case u.User != nil:
		return nil, view.Usage("the URL contains a user name").WithHint("enter the token in its own field")
	}
	u.Path, u.RawQuery, u.Fragment = path, "", ""
	if token != "" {
		i.bench.Secrets.Add(token)
	}
	return u, nil
}

func requestGateway(ctx context.Context, method, address, token string, body []byte) (string, error) {
	r, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return "", view.Usage("invalid URL: %v", err)
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	client := netguard.Client(&netguard.DialOptions{AllowPrivate: true})
	defer client.CloseIdleConnections()
	client.CheckRedirect = redirect.None
	answer, err := client.Do(r)
	if err != nil {
		return "", &view.Problem{Kind: view.KindUnreachable,
			Message: fmt.Sprintf("no response from the gateway at %s", address),
			Cause:   redact.Text(err.Error()), Hint: "check that mcptest gateway is running there"}
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, gatewayBytes))
	switch {
	case answer.StatusCode == http.StatusUnauthorized || answer.StatusCode == http.StatusForbidden:
		return "", &view.Problem{Kind: view.KindAuth, Status: answer.StatusCode,
			Message: fmt.Sprintf("the gateway returned HTTP %d", answer.StatusCode),
			Hint:    "enter the token of a caller that may manage the gateway"}
	case answer.StatusCode == http.StatusConflict:
		return "", &view.Problem{Kind: view.KindUsage, Status: answer.StatusCode,
			Message: "the definition changed again, or was approved by someone else",
			Hint:    "review the current definition"}
	case answer.StatusCode != http.StatusOK:
		return "", &view.Problem{Kind: view.KindUnreachable, Status: answer.StatusCode,
			Message: fmt.Sprintf("%s returned HTTP %d, expected 200", address, answer.StatusCode),
			Hint:    "check that this is the URL of an mcptest gateway"}
	case err != nil:
		return "", &view.Problem{Kind: view.KindUnreachable, Message: "the response of the gateway was cut off",
			Cause: err.Error(), Hint: "try again"}
	case syntaxOf(string(text)) != nil:
		return "", &view.Problem{Kind: view.KindUnreachable, Message: "the response is not a gateway status",
			Hint: "check that this is the URL of an mcptest gateway"}
	}
	return string(text), nil
}
