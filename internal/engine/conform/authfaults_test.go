package conform

import (
	"context"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/golden"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/testservers/oauth"
)

// authFaults are the faults planted for each check of authorization.
var authFaults = map[string][]oauth.Fault{
	"AUTH-003": {oauth.ResourceMissing, oauth.ResourceHTML},
	"AUTH-004": {oauth.ResourceMismatch},
	"AUTH-005": {oauth.ResourceNobody, oauth.ResourcePlain},
	"AUTH-006": {oauth.ServerMissing, oauth.ServerText},
	"AUTH-007": {oauth.ServerIssuer, oauth.ServerSlash},
	"AUTH-008": {oauth.ServerNoPKCE, oauth.ServerNoToken, oauth.ServerPlain},
	"AUTH-009": {oauth.AnyToken},
	"AUTH-011": {oauth.SignInRedirect, oauth.SignInPage, oauth.Optional},
	"AUTH-012": {oauth.TwoDocuments},
	"AUTH-013": {oauth.SlashOpen, oauth.ResourceParent},
	"AUTH-014": {oauth.AnyQuery, oauth.AnyBasic, oauth.EmptyBearer, oauth.TwoHeaders},
	"AUTH-015": {oauth.QueryToken},
	"AUTH-016": {oauth.AnyKey, oauth.EmbeddedKey, oauth.KeyFile},
	"AUTH-017": {oauth.AlgNone, oauth.AlgNoneCase, oauth.EmptySignature},
	"AUTH-018": {oauth.PublicHMAC, oauth.TrimmedHMAC},
	"AUTH-019": {oauth.FetchesKey},
	"AUTH-020": {oauth.NoErrorCode},
	"AUTH-021": {oauth.PrefixToken},
	"AUTH-022": {oauth.AnyAudience},
	"AUTH-023": {oauth.RefreshAccess, oauth.NeverExpires},
	"AUTH-024": {oauth.ScopeUnnamed},
	"AUTH-025": {oauth.OfflineResource, oauth.OfflineChallenge},
	"AUTH-026": {oauth.NoChallenge, oauth.PlainChallenge},
	"AUTH-027": {oauth.AnyVerifier, oauth.CodeTwice},
	"AUTH-028": {oauth.RedirectPath, oauth.RedirectHost, oauth.RedirectQuery, oauth.RedirectAny,
		oauth.RedirectPage},
	"AUTH-029": {oauth.RegisterHTTP, oauth.RegisterSecret, oauth.RegistrationClosed},
	"AUTH-030": {oauth.FetchesClient},
	"AUTH-031": {oauth.RefreshReused, oauth.FamilyKept},
	"AUTH-032": {oauth.IssUnannounced},
	"AUTH-033": {oauth.SessionToken},
	"AUTH-034": {oauth.NoIssuer, oauth.IssNotInErrors},
	"AUTH-035": {oauth.PassesToken},
	"AUTH-036": {oauth.Deputy},
	"AUTH-037": {oauth.CORSHidden},
	"AUTH-038": {oauth.NoDefaults},
}

// authAlso are the checks that rightly find the fault of another one, too.
var authAlso = map[oauth.Fault][]string{
	oauth.AnyToken:   {"AUTH-014"}, // each of two tokens is accepted
	oauth.SignInPage: {"AUTH-010"},
}

// authRun runs the checks of authorization on a server with a fault, on a clock that stands while it is not waited for.
func authRun(t *testing.T, s *oauth.Server, fault oauth.Fault, o AuthOptions, rules ...string) *Outcome {
	t.Helper()
	if o.sleep == nil {
		o.sleep, o.now = newAuthClock().functions()
	}
	if o.Browse == nil {
		o.Browse = agree
	}
	opts := &Options{Auth: &o, Rules: rules, Timeout: 20 * time.Second}
	if fault == oauth.NoDefaults {
		opts.Protocol = spec.March2025
	}
	if err := opts.Validate(); err != nil {
		t.Fatal(err)
	}
	out, err := Run(context.Background(), wire.Target{URL: s.URL(fault)}, opts)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// agree is a user who agrees.
func agree(_ context.Context, address string) error {
	resp, err := http.Get(address)
	if err == nil {
		resp.Body.Close()
	}
	return err
}

// An authClock is a clock that only waiting moves.
type authClock struct {
	mu   sync.Mutex
	time time.Time
}

func newAuthClock() *authClock { return &authClock{time: time.Unix(1e9, 0)} }

func (c *authClock) functions() (func(context.Context, time.Duration) error, func() time.Time) {
	sleep := func(_ context.Context, d time.Duration) error {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.time = c.time.Add(d)
		return nil
	}
	now := func() time.Time {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.time
	}
	return sleep, now
}

// TestAuthFaults plants the faults of each check: the check finds each of them, and no other check does.
func TestAuthFaults(t *testing.T) {
	t.Parallel()
	s := oauth.Start(t)
	s.Upstream = "http://" + freeAddress(t)
	planted := 0
	for _, id := range slices.Sorted(maps.Keys(authFaults)) {
		planted += len(authFaults[id])
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			said := ""
			for _, fault := range authFaults[id] {
				said += "# " + string(fault) + "\n" + authCaught(t, s, id, fault)
			}
			said = strings.ReplaceAll(said, s.Origin(), "http://ORIGIN")
			golden.Check(t, filepath.Join("testdata", "auth", id+".txt"), said, *update)
		})
	}
	if planted < 30 {
		t.Errorf("%d planted faults, expected at least 30", planted)
	}
	for _, c := range Checks() {
		if c.Auth != 0 && len(authFaults[c.ID]) == 0 {
			t.Errorf("%s has no planted fault", c.ID)
		}
	}
}

// authCaught returns what the check says about a fault.
func authCaught(t *testing.T, s *oauth.Server, id string, fault oauth.Fault) string {
	t.Helper()
	said := ""
	c, _ := Find(id)
	var o AuthOptions
	if c.Auth >= AuthOwn {
		o.As = []Identity{{SignIn: true}}
	}
	o.Lab = c.Auth == AuthLab
	if fault == oauth.Optional {
		o.Tool = "echo"
	}
	if fault == oauth.PassesToken {
		o.Upstream = strings.TrimPrefix(s.Upstream, "http://")
	}
	out := authRun(t, s, fault, o)
	if out.Requests >= 60 && len(o.As) == 0 {
		t.Errorf("%s: %d requests, expected less than 60", fault, out.Requests)
	}
	for _, r := range out.Report.Results {
		switch {
		case r.Rule == id && len(r.Findings) == 0:
			t.Errorf("%s: %s does not find it: %s%s", fault, id, r.Skipped, r.Broken)
		case r.Rule == id:
			said = shown(r.Findings)
		case r.Broken != "", len(r.Findings) > 0 && !slices.Contains(authAlso[fault], r.Rule):
			t.Errorf("%s: also found by %s: %s%s", fault, r.Rule, r.Broken, shown(r.Findings))
		}
	}
	return said
}

// TestAuthClean runs the checks on the correct servers: nothing is found, and each check that may run passes somewhere.
func TestAuthClean(t *testing.T) {
	t.Parallel()
	s := oauth.Start(t)
	sleep, now := newAuthClock().functions()
	s.SetClock(now)
	passed := map[string]bool{"AUTH-037": true, // the server does not allow other origins
		"AUTH-035": true, "AUTH-038": true} // authother_test.go
	for _, o := range []AuthOptions{{}, {As: []Identity{{SignIn: true}}}, {As: []Identity{{SignIn: true}}, Lab: true}} {
		o.sleep, o.now = sleep, now
		for _, fault := range []oauth.Fault{"", oauth.OpenID, oauth.StepUp, oauth.ShortLived, oauth.ClientDocuments} {
			out := authRun(t, s, fault, o)
			t.Logf("%q: %d requests", fault, out.Requests)
			for _, r := range out.Report.Results {
				if status := r.Status(); status == finding.Failed || status == finding.Broken {
					t.Errorf("%q: %s: %s%s", fault, r.Rule, r.Broken, shown(r.Findings))
				}
				passed[r.Rule] = passed[r.Rule] || r.Status() == finding.Passed
				if c, _ := Find(r.Rule); c.Auth == AuthOwn && len(o.As) == 0 && r.Status() == finding.Passed {
					t.Errorf("%s ran without an own token", r.Rule)
				} else if c.Auth == AuthLab && !o.Lab && r.Status() == finding.Passed {
					t.Errorf("%s ran without permission", r.Rule)
				}
			}
		}
	}
	for _, c := range Checks() {
		if c.Family() == "AUTH" && !passed[c.ID] {
			t.Errorf("%s has passed on no correct server", c.ID)
		}
	}
}
