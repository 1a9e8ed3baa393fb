package conform

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/golden"
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
	"AUTH-016": {oauth.AnyKey, oauth.EmbeddedKey, oauth.KeyFile},
	"AUTH-017": {oauth.AlgNone, oauth.AlgNoneCase, oauth.EmptySignature},
	"AUTH-018": {oauth.PublicHMAC, oauth.TrimmedHMAC},
	"AUTH-020": {oauth.NoErrorCode},
	"AUTH-025": {oauth.OfflineResource, oauth.OfflineChallenge},
	"AUTH-037": {oauth.CORSHidden},
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
	opts := &Options{Auth: &o, Rules: rules, Timeout: 20 * time.Second}
	if err := opts.Validate(); err != nil {
		t.Fatal(err)
	}
	out, err := Run(context.Background(), wire.Target{URL: s.URL(fault)}, opts)
	if err != nil {
		t.Fatal(err)
	}
	return out
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
	out := authRun(t, s, fault, AuthOptions{})
	if out.Requests >= 60 {
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

// TestAuthClean runs the checks on the correct servers: nothing is found, and each check that needs no more passes.
func TestAuthClean(t *testing.T) {
	t.Parallel()
	s := oauth.Start(t)
	for _, fault := range []oauth.Fault{"", oauth.OpenID, oauth.Confidential} {
		for _, r := range authRun(t, s, fault, AuthOptions{}).Report.Results {
			c, _ := Find(r.Rule)
			switch status := r.Status(); {
			case status == finding.Failed || status == finding.Broken:
				t.Errorf("%q: %s: %s%s", fault, r.Rule, r.Broken, shown(r.Findings))
			case status == finding.Skipped && c.Auth <= AuthSafe && r.Rule != "AUTH-037":
				t.Errorf("%q: %s is skipped: %s", fault, r.Rule, r.Skipped)
			}
		}
	}
}
