package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// clientDocument is the client ID metadata document that the suite expects of its clients.
const clientDocument = "https://conformance-test.local/client-metadata.json"

// authorizing adds to a target the credentials of a client whose user has a browser.
func authorizing(name string, target wire.Target) (wire.Target, error) {
	if !strings.HasPrefix(name, "auth/") {
		return target, nil
	}
	o, err := authOptions(name)
	if err != nil {
		return target, err
	}
	o.Server, o.Browse, o.OnStep = target.URL, browse, logStep
	flow, err := auth.New(o)
	if err != nil {
		return target, err
	}
	credentials := auth.NewCredentials(flow, nil, nil)
	credentials.Ask = true
	target.Credentials = credentials
	return target, nil
}

// authOptions reads the client's identity from the suite's context.
func authOptions(name string) (auth.Options, error) {
	var o auth.Options
	var told struct {
		ClientID     string `json:"client_id"`
		ClientSecret string `json:"client_secret"`
		PrivateKey   string `json:"private_key_pem"`
		WorkloadJWT  string `json:"valid_jwt"`
		IDToken      string `json:"idp_id_token"`
		IDPClient    string `json:"idp_client_id"`
		IDPEndpoint  string `json:"idp_token_endpoint"`
	}
	if text := os.Getenv("MCP_CONFORMANCE_CONTEXT"); text != "" {
		if err := json.Unmarshal([]byte(text), &told); err != nil {
			return o, fmt.Errorf("read MCP_CONFORMANCE_CONTEXT: %w", err)
		}
	}
	o.Identity.ID, o.Identity.Secret = told.ClientID, told.ClientSecret
	if told.PrivateKey != "" {
		key, err := auth.ParseKey([]byte(told.PrivateKey))
		if err != nil {
			return o, err
		}
		o.Identity.Key = key
	}
	if name == "auth/basic-cimd" {
		o.Identity.Document = clientDocument
	}
	switch name {
	case "auth/client-credentials-jwt", "auth/client-credentials-basic":
		o.Grant = auth.ClientCredentials
	case "auth/wif-jwt-bearer":
		o.Grant, o.Assertion = auth.JWTBearer, told.WorkloadJWT
	case "auth/enterprise-managed-authorization":
		o.Grant, o.Provider = auth.JWTBearer, &auth.IdentityProvider{TokenEndpoint: told.IDPEndpoint,
			ClientID: told.IDPClient, IDToken: told.IDToken}
	}
	return o, nil
}

// browse simulates a user who consents to everything: it follows the redirects of the authorization server.
func browse(ctx context.Context, address string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

// logStep writes a step to the log of the suite.
func logStep(s auth.Step) {
	text, _ := json.Marshal(s)
	fmt.Fprintf(os.Stderr, "%s\n", text)
}
