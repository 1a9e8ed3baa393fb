package npm

import (
	"context"
	"encoding/json"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/conform"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// signIn is a user with a browser who agrees to everything.
func signIn(ctx context.Context, address string) error {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	browser := &http.Client{Jar: jar, Timeout: 20 * time.Second}
	resp, err := browser.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	page, err := io.ReadAll(resp.Body)
	link := approve.FindSubmatch(page)
	if err != nil || link == nil {
		return err
	}
	resp, err = browser.Get(html.UnescapeString(string(link[1])))
	if err == nil {
		resp.Body.Close()
	}
	return err
}

// approve is the link of a page that asks for consent.
var approve = regexp.MustCompile(`<a class="btn approve"[^>]*href="([^"]+)"`)

// protection runs all checks of authorization on a local server, and returns the findings and what was not tried.
func protection(t *testing.T, url string, o conform.AuthOptions) (findings, skipped []string) {
	t.Helper()
	o.As, o.Lab, o.Browse = []conform.Identity{{SignIn: true}}, true, signIn
	out, err := conform.Run(t.Context(), wire.Target{URL: url}, &conform.Options{Auth: &o, Timeout: 20 * time.Second,
		Skip: []string{"AUTH-035", "AUTH-038"}}) // another service, and 2025-03-26
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range out.Report.Results {
		switch r.Status() {
		case finding.Skipped:
			skipped = append(skipped, r.Rule)
		case finding.Broken:
			t.Errorf("%s: %s", r.Rule, r.Broken)
		}
		for _, f := range r.Findings {
			findings = append(findings, f.Rule)
			t.Logf("%s %s", f.Rule, f.Line())
		}
	}
	t.Logf("%d requests; not tried: %v", out.Requests, skipped)
	return slices.Compact(findings), skipped
}

// oidcProvider starts oidc-provider and returns its issuer.
func (in Install) oidcProvider(t *testing.T, issuer ...string) string {
	t.Helper()
	return Listen(t, func(port int) *exec.Cmd {
		return exec.Command(in.Node, append([]string{"oidc.mjs", strconv.Itoa(port)}, issuer...)...)
	})
}

// protectedGateway starts the gateway and returns its URL. It gets that URL, which is the audience of tokens, and returns
// the settings of its issuer.
func protectedGateway(t *testing.T, issuer func(audience string) map[string]any, args ...string) string {
	t.Helper()
	dir, binary := t.TempDir(), mcptestBinary(t)
	return Listen(t, func(port int) *exec.Cmd {
		address := "127.0.0.1:" + strconv.Itoa(port)
		config, _ := json.Marshal(map[string]any{
			"mcpServers": map[string]any{"demo": map[string]any{"command": binary, "args": []string{"demo"}}},
			"gateway":    map[string]any{"jwt": issuer("http://" + address + "/mcp")}})
		file := filepath.Join(dir, strconv.Itoa(port)+".json")
		if err := os.WriteFile(file, config, 0o600); err != nil {
			t.Fatal(err)
		}
		return exec.Command(binary, append([]string{"gateway", "--config", file, "--listen", address}, args...)...)
	}) + "/mcp"
}

// ofOIDC are the settings of a gateway for oidc-provider.
func ofOIDC(issuer string) func(string) map[string]any {
	return func(audience string) map[string]any {
		return map[string]any{"issuer": issuer, "jwks_url": issuer + "/jwks", "audience": audience, "scope": "tools",
			"roles": []any{map[string]any{"name": "all", "claims": map[string]any{"scope": "tools"},
				"allow": []string{"*"}}}}
	}
}

// A real authorization server and the gateway as the protected server: every check that applies passes, also those with
// tokens of our own.
func TestGatewayBehindOIDCProvider(t *testing.T) {
	t.Parallel()
	in := Require(t)
	url := protectedGateway(t, ofOIDC(in.oidcProvider(t)))
	findings, skipped := protection(t, url, conform.AuthOptions{})
	if len(findings) > 0 {
		t.Errorf("findings %v, expected none", findings)
	}
	// no request needs more scopes than the token has, no client documents, no other origins
	if want := []string{"AUTH-024", "AUTH-030", "AUTH-037"}; !slices.Equal(skipped, want) {
		t.Errorf("not tried: %v, expected %v", skipped, want)
	}
}

// An official example has three faults: it accepts tokens for other resources, redirects to any https URL, and does not
// replace refresh tokens. The other two findings are warnings: bearer in lower case, and iss is not announced.
func TestLazyAuth(t *testing.T) {
	t.Parallel()
	in := Require(t)
	url := Listen(t, func(port int) *exec.Cmd {
		cmd := exec.Command(in.Node, in.Script("server-lazy-auth"))
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "PORT=" + strconv.Itoa(port)}
		return cmd
	})
	url = strings.Replace(url, "127.0.0.1", "localhost", 1) + "/mcp"
	findings, skipped := protection(t, url, conform.AuthOptions{Tool: "get_secret", Client: "mcptest"})
	if want := []string{"AUTH-015", "AUTH-022", "AUTH-028", "AUTH-031", "AUTH-032"}; !slices.Equal(findings, want) {
		t.Errorf("findings %v, expected %v", findings, want)
	}
	// it needs a token for two tools only, and has no keys, registration, sessions or iss
	if want := []string{"AUTH-010", "AUTH-018", "AUTH-024", "AUTH-029", "AUTH-033", "AUTH-034"}; !slices.Equal(skipped,
		want) {
		t.Errorf("not tried: %v, expected %v", skipped, want)
	}
}

// dex does not require PKCE, ignores the parameter resource, and issues tokens that are ID tokens, too: all of that is
// found, and nothing else.
func TestGatewayBehindDex(t *testing.T) {
	if os.Getenv("MCPTEST_FULL") == "" {
		t.Skip("left out: dex takes minutes to build; MCPTEST_FULL runs it")
	}
	t.Parallel()
	binary := filepath.Join(t.TempDir(), "dex")
	build(t, "../dex", binary, ".")
	client := ""
	url := protectedGateway(t, func(audience string) map[string]any {
		client = audience // the audience of its tokens is the client
		issuer := Listen(t, func(port int) *exec.Cmd { return exec.Command(binary, strconv.Itoa(port), client) })
		return map[string]any{"issuer": issuer, "jwks_url": issuer + "/keys", "audience": audience, "roles": []any{
			map[string]any{"name": "all", "claims": map[string]any{"iss": issuer}, "allow": []string{"*"}},
			map[string]any{"name": "requested", "claims": map[string]any{"scope": "openid"}}}}
	})
	findings, skipped := protection(t, url, conform.AuthOptions{Client: client})
	if want := []string{"AUTH-022", "AUTH-023", "AUTH-026", "AUTH-032"}; !slices.Equal(findings, want) {
		t.Errorf("findings %v, expected %v", findings, want)
	}
	// it has no registration, client documents, refresh tokens for these scopes, or iss
	if want := []string{"AUTH-024", "AUTH-029", "AUTH-030", "AUTH-031", "AUTH-034", "AUTH-037"}; !slices.Equal(skipped,
		want) {
		t.Errorf("not tried: %v, expected %v", skipped, want)
	}
}
