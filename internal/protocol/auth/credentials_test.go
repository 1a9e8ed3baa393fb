package auth_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/testservers/oauth"
)

// signedIn returns credentials with a token; ask says whether there is a person.
func signedIn(t *testing.T, s *oauth.Server, fault oauth.Fault, store *auth.Store, ask bool) *auth.Credentials {
	t.Helper()
	g, _, err := run(t, auth.Options{Server: s.URL(fault)})
	if err != nil {
		t.Fatal(err)
	}
	if store != nil {
		if err := store.Save(g); err != nil {
			t.Fatal(err)
		}
	}
	f, err := auth.New(auth.Options{Server: s.URL(fault), Browse: browse})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	c := auth.NewCredentials(f, store, g)
	c.Ask = ask
	return c
}

// list opens a session and lists the tools.
func list(t *testing.T, address string, c wire.Credentials, log *wire.Transcript) (int, error) {
	t.Helper()
	s, err := mcp.Connect(t.Context(), wire.Target{URL: address, Credentials: c}, log, nil)
	if err != nil {
		return 0, err
	}
	defer func() { _ = s.Close() }()
	tools, err := s.List(t.Context(), "tools/list")
	if err != nil {
		return 0, err
	}
	return len(tools.Items), nil
}

func TestTokenIsUsed(t *testing.T) {
	s := oauth.Start(t)
	if n, err := list(t, s.URL(""), signedIn(t, s, "", nil, false), nil); err != nil || n == 0 {
		t.Errorf("%d tools, %v", n, err)
	}
}

// A token that is no longer accepted is renewed, kept, and the request repeated; the refusal stands in the transcript.
func TestTokenIsRenewed(t *testing.T) {
	s := oauth.Start(t)
	store := auth.NewStore(t.TempDir())
	c := signedIn(t, s, "", store, false)
	before := c.Grant().AccessToken
	s.Revoke()
	log := wire.NewTranscript(nil)
	if n, err := list(t, s.URL(""), c, log); err != nil || n == 0 {
		t.Fatalf("%d tools, %v", n, err)
	}
	after := c.Grant().AccessToken
	kept, err := store.Load(s.URL(""))
	if after == before || err != nil || kept.AccessToken != after {
		t.Errorf("kept %v, %v; want the renewed token", kept, err)
	}
	frames := log.Since(0)
	if len(frames) < 4 || frames[1].Status != 401 || frames[0].Header.Get("Authorization") != "Bearer "+before ||
		frames[2].Header.Get("Authorization") != "Bearer "+after || string(frames[2].Body) != string(frames[0].Body) ||
		frames[3].Status != 200 {
		t.Errorf("the transcript does not show the refusal and the repetition: %+v", frames[:min(len(frames), 4)])
	}
}

// A token that another process has renewed meanwhile is taken from the store.
func TestTokenOfAnotherProcess(t *testing.T) {
	s := oauth.Start(t)
	store := auth.NewStore(t.TempDir())
	old := signedIn(t, s, "", store, false)
	s.Revoke()
	fresh := signedIn(t, s, "", store, false)
	if n, err := list(t, s.URL(""), old, nil); err != nil || n == 0 {
		t.Fatalf("%d tools, %v", n, err)
	}
	if old.Grant().AccessToken != fresh.Grant().AccessToken {
		t.Error("the stored token was not taken")
	}
}

// Many requests that are refused at once renew the token once.
func TestOneRenewalForMany(t *testing.T) {
	s := oauth.Start(t)
	c := signedIn(t, s, "", nil, false)
	session, err := mcp.Connect(t.Context(), wire.Target{URL: s.URL(""), Credentials: c}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	s.Revoke()
	asked := tokenRequests(s)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if _, err := session.List(t.Context(), "tools/list"); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := tokenRequests(s) - asked; n != 1 {
		t.Errorf("the token was renewed %d times, want once", n)
	}
}

func tokenRequests(s *oauth.Server) int {
	n := 0
	for _, seen := range s.Seen() {
		if strings.HasSuffix(seen, "/as/token") {
			n++
		}
	}
	return n
}

// A refresh token that is refused leaves the sign-in to the person.
func TestRenewalRefused(t *testing.T) {
	s := oauth.Start(t)
	c := signedIn(t, s, oauth.RefreshInvalid, nil, false)
	s.Revoke()
	_, err := list(t, s.URL(oauth.RefreshInvalid), c, nil)
	var e *wire.Error
	var stopped *auth.Error
	if !errors.As(err, &e) || !errors.As(err, &stopped) || stopped.Step != auth.Refresh ||
		!strings.Contains(e.Hint.String(), "mcptest auth "+s.URL(oauth.RefreshInvalid)) {
		t.Errorf("error %v, want the refresh step and a hint to sign in again", err)
	}
	with := signedIn(t, s, oauth.RefreshInvalid, nil, true)
	s.Revoke()
	if n, err := list(t, s.URL(oauth.RefreshInvalid), with, nil); err != nil || n == 0 {
		t.Errorf("with a person: %d tools, %v", n, err)
	}
}

// More scopes are asked for with those that were granted before, if there is a person; otherwise the refusal is told.
func TestStepUp(t *testing.T) {
	s := oauth.Start(t)
	with := signedIn(t, s, oauth.StepUp, nil, true)
	if n, err := list(t, s.URL(oauth.StepUp), with, nil); err != nil || n == 0 {
		t.Fatalf("%d tools, %v", n, err)
	}
	if got := with.Grant().Granted(); !slices.Equal(got, []string{"tools:read", "tools:list"}) {
		t.Errorf("scopes %q, want the old one and the new one", got)
	}
	_, err := list(t, s.URL(oauth.StepUp), signedIn(t, s, oauth.StepUp, nil, false), nil)
	var e *wire.Error
	if !errors.As(err, &e) || !strings.Contains(e.Hint.String(), "--scope") {
		t.Errorf("without a person: %v, want a hint at --scope", err)
	}
}

// A server that refuses what it asked for does not make the person agree for ever.
func TestNoEndlessSignIn(t *testing.T) {
	for _, fault := range []oauth.Fault{oauth.Refused, oauth.Greedy, oauth.Forbidden} {
		s := oauth.Start(t)
		f, err := auth.New(auth.Options{Server: s.URL(fault), Browse: browse})
		if err != nil {
			t.Fatal(err)
		}
		c := auth.NewCredentials(f, nil, nil)
		c.Ask = true
		_, err = list(t, s.URL(fault), c, nil)
		var status *wire.StatusError
		if !errors.As(err, &status) {
			t.Errorf("%s: %v, want the server's refusal", fault, err)
		}
		if n := tokenRequests(s); n != 1 {
			t.Errorf("%s: %d tokens were asked for, want 1", fault, n)
		}
		f.Close()
	}
}

func TestFreshen(t *testing.T) {
	s := oauth.Start(t)
	c := signedIn(t, s, oauth.Expiring, nil, false)
	before := c.Grant().AccessToken
	if err := c.Freshen(t.Context()); err != nil || c.Grant().AccessToken == before {
		t.Errorf("Freshen: %v, the same token %v", err, c.Grant().AccessToken == before)
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Freshen(stopped); err == nil {
		t.Error("Freshen worked without a server")
	}
}
