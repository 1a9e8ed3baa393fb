package inspector

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/config"
	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/view"
	"github.com/mcptest-dev/mcptest/internal/workbench"
	"github.com/mcptest-dev/mcptest/testservers/oauth"
)

// protected is an inspector with a server behind an authorization server.
func protected(t *testing.T, s *oauth.Server, fault oauth.Fault) (*Inspector, string) {
	t.Helper()
	home := t.TempDir()
	system := target.System{System: config.System{GOOS: "linux", Home: home, Dir: home,
		Lookup: func(string) (string, bool) { return "", false }}}
	i := New(&workbench.Workbench{Version: "test", System: system, Secrets: redact.New(),
		Tokens: auth.NewStore(t.TempDir())}, Options{})
	t.Cleanup(i.Shutdown)
	added, err := i.Add(view.NewServer{Name: "protected", URL: s.URL(fault)})
	if err != nil {
		t.Fatal(err)
	}
	return i, added.ID
}

// until reads events until a sign-in stands as wanted, or is over.
func until(t *testing.T, i *Inspector, states ...string) view.SignIn {
	t.Helper()
	after := 0
	for {
		events, next := i.Journal().After(after)
		for _, e := range events {
			after = e.ID
			if e.Kind == "auth" && slices.Contains(states, e.SignIn.State) {
				return *e.SignIn
			}
		}
		select {
		case <-next:
		case <-t.Context().Done():
			t.Fatal("the test is over")
		}
	}
}

// visit opens an address as a browser does.
func visit(t *testing.T, address string) {
	t.Helper()
	resp, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body)
}

func TestSignIn(t *testing.T) {
	s := oauth.Start(t)
	i, server := protected(t, s, "")
	if _, err := i.SignIn(view.NewSignIn{Server: server}); err != nil {
		t.Fatal(err)
	}
	waiting := until(t, i, view.SignInWaiting, view.SignInFailed)
	if waiting.State != view.SignInWaiting || !strings.HasPrefix(waiting.Open, s.Issuer("")+"/authorize?") {
		t.Fatalf("waiting %+v", waiting)
	}
	visit(t, waiting.Open)
	done := until(t, i, view.SignInDone, view.SignInFailed)
	if done.State != view.SignInDone || !done.Stored || done.Token == nil || done.Open != "" || len(done.Steps) != 8 {
		t.Fatalf("done %+v", done)
	}
	kept, err := i.TokenOf(server)
	if err != nil || kept.Token == nil || kept.Token.Issuer != s.Issuer("") {
		t.Errorf("kept %+v, %v", kept.Token, err)
	}
	link, err := i.Connect(view.NewLink{Server: server})
	if err != nil {
		t.Fatal(err)
	}
	if opened := settled(t, i, link.ID); opened.State != view.Open {
		t.Errorf("with the token: %+v", opened.Error)
	}
	mustHide(t, i, link.ID)
	if err := i.SignOut(server); err != nil {
		t.Fatal(err)
	}
	if kept, err := i.TokenOf(server); err != nil || kept.Token != nil {
		t.Errorf("after SignOut: %+v, %v", kept.Token, err)
	}
	link, err = i.Reconnect(link.ID)
	if err != nil {
		t.Fatal(err)
	}
	if refused := settled(t, i, link.ID); refused.State != view.Failed || refused.Error.Kind != view.KindAuth {
		t.Errorf("without the token: %+v", refused)
	}
}

// mustHide wants no token in what is told of a connection.
func mustHide(t *testing.T, i *Inspector, link string) {
	t.Helper()
	var all strings.Builder
	for _, format := range []string{"jsonl", "har"} {
		text, err := i.ExportFrames(link, format)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	rows, err := i.Frames(link, view.FrameQuery{Limit: 100})
	if err != nil || len(rows.Frames) == 0 {
		t.Fatalf("%d frames, %v", len(rows.Frames), err)
	}
	for _, row := range rows.Frames {
		frame, err := i.OneFrame(link, row.Seq)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := json.Marshal(frame)
		all.Write(text)
	}
	text, _ := json.Marshal(i.Links())
	if all.Write(text); strings.Contains(all.String(), "canary-") {
		t.Errorf("a token is told:\n%s", all.String())
	}
}

// settled waits until a connection is neither new nor opening.
func settled(t *testing.T, i *Inspector, id string) view.Link {
	t.Helper()
	for {
		_, next := i.Journal().After(1 << 30)
		l, err := i.Link(id)
		if err != nil {
			t.Fatal(err)
		}
		if l.State != view.Connecting {
			return l
		}
		select {
		case <-next:
		case <-t.Context().Done():
			t.Fatal("the test is over")
		}
	}
}

func TestSignInFails(t *testing.T) {
	s := oauth.Start(t)
	i, server := protected(t, s, oauth.RegistrationNone)
	if _, err := i.SignIn(view.NewSignIn{Server: server}); err != nil {
		t.Fatal(err)
	}
	failed := until(t, i, view.SignInFailed, view.SignInDone)
	last := failed.Steps[len(failed.Steps)-1]
	if failed.State != view.SignInFailed || last.Name != string(auth.Registration) ||
		last.State != string(auth.Failed) ||
		last.Hint == "" || strings.Contains(last.Hint, "--") {
		t.Errorf("ended with %+v; want the registration failed, with a hint in the page's words", last)
	}
	if kept, _ := i.TokenOf(server); kept.Token != nil {
		t.Errorf("a token is kept: %+v", kept.Token)
	}
}

func TestSignInCancelled(t *testing.T) {
	s := oauth.Start(t)
	i, server := protected(t, s, "")
	begun, err := i.SignIn(view.NewSignIn{Server: server})
	if err != nil {
		t.Fatal(err)
	}
	until(t, i, view.SignInWaiting)
	cancelled, err := i.CancelSignIn(begun.ID)
	if err != nil || cancelled.State != view.SignInCancelled || cancelled.Open != "" {
		t.Errorf("cancelled %+v, %v", cancelled, err)
	}
	if _, err := i.SignInOf("a999"); err == nil {
		t.Error("a sign-in that does not exist was found")
	}
	if _, err := i.SignIn(view.NewSignIn{Server: "builtin-demo"}); err == nil {
		t.Error("a server in this program was asked for a token")
	}
}

// A server that cannot be reached at all is the first step that failed, and no other.
func TestSignInUnreached(t *testing.T) {
	i, _ := protected(t, oauth.Start(t), "")
	added, err := i.Add(view.NewServer{Name: "nowhere", URL: "http://127.0.0.1:1/mcp"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := i.SignIn(view.NewSignIn{Server: added.ID}); err != nil {
		t.Fatal(err)
	}
	failed := until(t, i, view.SignInFailed, view.SignInDone)
	if failed.State != view.SignInFailed || failed.Problem != nil || len(failed.Steps) != 1 {
		t.Fatalf("failed %+v, want one step and no problem besides", failed)
	}
	step := failed.Steps[0]
	if step.Name != string(auth.Challenge) || step.State != string(auth.Failed) ||
		!strings.Contains(step.Problem, "nowhere: connection refused") || step.Hint == "" {
		t.Errorf("step %+v, want the first one failed, with its problem and a hint", step)
	}
}

// A refresh is tried with the stored token, and the new one is stored.
func TestSignInTries(t *testing.T) {
	s := oauth.Start(t)
	i, server := protected(t, s, "")
	if _, err := i.SignIn(view.NewSignIn{Server: server}); err != nil {
		t.Fatal(err)
	}
	visit(t, until(t, i, view.SignInWaiting, view.SignInFailed).Open)
	until(t, i, view.SignInDone, view.SignInFailed)
	for _, test := range []struct {
		try   string
		state string
		steps []string
	}{
		{"refresh", view.SignInDone, []string{"refresh", "call"}},
		{"expiry", view.SignInDone, []string{"expired", "refresh", "call"}},
		{"step-up", view.SignInFailed, nil}, // without scopes to start with
	} {
		begun, err := i.SignIn(view.NewSignIn{Server: server, Try: []string{test.try}})
		if err != nil {
			t.Fatal(err)
		}
		i.mu.Lock()
		done := i.signIns[len(i.signIns)-1].done
		i.mu.Unlock()
		<-done
		got, err := i.SignInOf(begun.ID)
		var steps []string
		for _, step := range got.Steps {
			steps = append(steps, step.Name)
		}
		if err != nil || got.State != test.state || !slices.Equal(steps, test.steps) {
			t.Errorf("%s: %s %v %v %v, expected %s %v", test.try, got.State, steps, got.Problem, err, test.state, test.steps)
		}
	}
}
