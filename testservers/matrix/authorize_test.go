package matrix

import (
	"bytes"
	"encoding/json"
	nethttp "net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/testservers/oauth"
)

// faultyServers are servers with which clients stop at different steps.
var faultyServers = []oauth.Fault{"", oauth.Silent, oauth.ResourceMissing, oauth.ResourceClosed, oauth.ResourceFails,
	oauth.ResourceHTML, oauth.ResourceMismatch, oauth.ResourceParent, oauth.ResourceNobody, oauth.ServerMissing,
	oauth.ServerFails, oauth.ServerText, oauth.ServerNoToken, oauth.ServerJavascript, oauth.OpenID, oauth.ServerIssuer,
	oauth.ServerSlash, oauth.ServerNoPKCE, oauth.ServerWeakPKCE, oauth.RegistrationNone, oauth.RegistrationClosed,
	oauth.RegistrationInvalid, oauth.LocalhostRefused, oauth.RegistrationNoID, oauth.RegistrationBare,
	oauth.ClientDocuments}

// stepsByError are the steps that the errors of the SDKs are about.
var stepsByError = []struct {
	text *regexp.Regexp
	step auth.Name
}{
	{regexp.MustCompile(`(?i)protected resource`), auth.ResourceMetadata},
	{regexp.MustCompile(`(?i)issuer mismatch`), auth.ServerMetadata},
	{regexp.MustCompile(`(?i)code challenge method`), auth.Authorization},
	{regexp.MustCompile(`(?i)registration`), auth.Registration},
}

// TestAuthorizationOfSDKs compares where the SDKs stop with what mcptest auth --as predicts.
func TestAuthorizationOfSDKs(t *testing.T) {
	t.Parallel()
	for client, command := range map[string][]string{
		"python-sdk": {python(environmentDir(t, "py2")), "-B", absolute(t, "python", "authorize.py")},
		"ts-sdk":     {"node", filepath.Join(nodePrograms(t, environmentDir(t, "ts2")), "authorize.mjs")},
	} {
		t.Run(client, func(t *testing.T) {
			t.Parallel()
			server := oauth.Start(t)
			for _, fault := range faultyServers {
				command = append(command, server.URL(fault))
			}
			cmd := exec.Command(command[0], command[1:]...)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, stderr.String())
			}
			lines := slices.Collect(strings.Lines(string(out)))
			if len(lines) != len(faultyServers) {
				t.Fatalf("%d results, expected %d\n%s", len(lines), len(faultyServers), stderr.String())
			}
			seen := server.Seen()
			for i, fault := range faultyServers {
				got, why := stoppedAt(t, lines[i], fault, seen)
				if want := predictedStop(t, server, fault, client); got != want {
					t.Errorf("%s with %q stops at %q (%s), predicted %q", client, fault, got, why, want)
				}
			}
		})
	}
}

// stoppedAt returns the step at which an SDK stopped; none means that it reached the consent.
func stoppedAt(t *testing.T, line string, fault oauth.Fault, seen []string) (auth.Name, string) {
	t.Helper()
	var result struct{ URL, Error string }
	if err := json.Unmarshal([]byte(line), &result); err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	if result.URL != "" {
		client := nethttp.Client{CheckRedirect: func(*nethttp.Request, []*nethttp.Request) error {
			return nethttp.ErrUseLastResponse
		}}
		resp, err := client.Get(result.URL)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if resp.StatusCode >= 400 || strings.Contains(resp.Header.Get("Location"), "error=") {
			return auth.Authorization, resp.Status
		}
		return "", resp.Status
	}
	for _, known := range stepsByError {
		if known.text.MatchString(result.Error) {
			return known.step, result.Error
		}
	}
	// a document that the SDK cannot parse: the last one that it requested from this server
	last := ""
	for _, request := range seen {
		if strings.Contains(request, "/"+string(fault)+"/") {
			last = request
		}
	}
	if strings.HasSuffix(last, "/as/register") {
		return auth.Registration, result.Error
	}
	return auth.ServerMetadata, result.Error
}

// predictedStop returns the step at which mcptest auth --as stops; none means that it reaches the consent.
func predictedStop(t *testing.T, server *oauth.Server, fault oauth.Fault, client string) auth.Name {
	t.Helper()
	flow, err := auth.New(auth.Options{Server: server.URL(fault)})
	if err != nil {
		t.Fatal(err)
	}
	defer flow.Close()
	ladder, err := auth.LadderOf(client)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := nethttp.Post(server.URL(fault), "application/json", strings.NewReader(`{"jsonrpc":"2.0"}`))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	p, err := flow.Predict(t.Context(), wire.Frame{Status: resp.StatusCode, Header: resp.Header}, ladder)
	if err != nil {
		t.Fatal(err)
	}
	return p.Step
}
