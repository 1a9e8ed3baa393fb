package inspector

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/ops/signin"
	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/view"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// maxSignIns is the number of stored sign-ins; the oldest finished ones are evicted first.
const maxSignIns = 16

// A signIn is an authorization flow in progress.
type signIn struct {
	inspector *Inspector
	cancel    context.CancelFunc
	done      chan struct{} // closed when all of it has ended

	mu   sync.Mutex
	view view.SignIn
}

// SignIn starts an authorization flow for a server. It returns immediately: events report its progress.
func (i *Inspector) SignIn(in view.NewSignIn) (view.SignIn, error) {
	e, err := i.find(in.Server)
	if err != nil {
		return view.SignIn{}, err
	}
	if err := checkLink(view.NewLink{Protocol: in.Protocol}); err != nil {
		return view.SignIn{}, err
	}
	found, err := i.mayReach(e)
	if err != nil {
		return view.SignIn{}, err
	}
	if found.Target.URL == "" {
		return view.SignIn{}, view.Usage("%s does not use HTTP; tokens are available only for HTTP servers",
			e.shown.Name)
	}
	i.bench.Secrets.Join(found.Secrets)
	i.bench.Secrets.Add(in.ClientSecret)
	ctx, cancel := context.WithCancel(context.Background())
	s := &signIn{inspector: i, cancel: cancel, done: make(chan struct{})}
	s.view = view.SignIn{Server: e.shown.ID, Name: e.shown.Name, State: view.SignInRunning, Steps: []view.AuthStep{},
		Started: time.Now()}
	if err := i.saveSignIn(s); err != nil {
		cancel()
		return view.SignIn{}, err
	}
	target := *found
	target.Target.Insecure = in.Insecure
	go func() {
		defer close(s.done)
		defer cancel()
		s.walk(ctx, &target, in)
	}()
	return s.snapshot(), nil
}

// saveSignIn assigns an ID to a sign-in and evicts the oldest finished one.
func (i *Inspector) saveSignIn(s *signIn) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.closed {
		return errors.New("mcptest is shutting down")
	}
	if len(i.signIns) >= maxSignIns {
		at := slices.IndexFunc(i.signIns, func(old *signIn) bool { return old.over() })
		if at < 0 {
			return view.Usage("too many sign-ins in progress (%d)", maxSignIns).WithHint("cancel one of them")
		}
		i.journal.drop("auth/" + i.signIns[at].view.ID)
		i.signIns = slices.Delete(i.signIns, at, at+1)
	}
	i.nextID++
	s.view.ID = "a" + strconv.Itoa(i.nextID)
	i.signIns = append(i.signIns, s)
	return nil
}

// walk runs the flow and stores the result.
func (s *signIn) walk(ctx context.Context, found *target.Resolved, in view.NewSignIn) {
	bench := s.inspector.bench
	quiet := &workbench.Workbench{Version: bench.Version, System: bench.System, Secrets: bench.Secrets,
		Tokens: bench.Tokens}
	settings := signin.Settings{ClientID: in.ClientID, ClientSecret: in.ClientSecret,
		ClientDocument:    in.ClientDocument,
		ClientCredentials: in.ClientCredentials, Scope: in.Scopes, Issuer: in.Issuer, CallbackPort: in.CallbackPort,
		AllowPrivate: in.AllowPrivate, NoStore: in.NoStore}
	s.notify()
	result, err := signin.SignIn(ctx, quiet, found, &settings, signin.Options{Protocol: in.Protocol, Try: in.Try, OnStep: s.step})
	s.mu.Lock()
	s.view.Open = ""
	switch {
	case ctx.Err() != nil:
		s.view.State = view.SignInCancelled
	case err != nil && result != nil && len(s.view.Steps) == 0:
		s.view.State, s.view.Steps = view.SignInFailed, []view.AuthStep{unreached(s.inspector.Problem(err))}
	case err != nil:
		s.view.State, s.view.Problem = view.SignInFailed, s.inspector.Problem(err)
	case !result.OK:
		s.view.State = view.SignInFailed
	default:
		s.view.State, s.view.Stored, s.view.Token = view.SignInDone, result.Stored, tokenOf(result.Token)
	}
	if result != nil {
		s.view.Needed = result.Needed
	}
	s.mu.Unlock()
	s.notify()
}

// unreached returns the first step of a flow that could not reach the server.
func unreached(p *view.Problem) view.AuthStep {
	return view.AuthStep{Seq: 1, Name: string(auth.Challenge), Title: auth.Challenge.Title(),
		State: string(auth.Failed), Clause: view.AuthClause(auth.Challenge.Clause()),
		Problem: p.Message, Hint: p.Hint}
}

// step records a step in its current state.
func (s *signIn) step(made auth.Step) {
	shown := view.ShowStep(made)
	s.mu.Lock()
	if last := len(s.view.Steps) - 1; last >= 0 && s.view.Steps[last].Seq == shown.Seq {
		s.view.Steps = append(slices.Clone(s.view.Steps[:last]), shown)
	} else {
		s.view.Steps = append(slices.Clip(s.view.Steps), shown)
	}
	s.view.Open, s.view.State = shown.Open, view.SignInRunning
	if made.State == auth.Waiting {
		s.view.State = view.SignInWaiting
	} else {
		s.view.Open = ""
	}
	s.mu.Unlock()
	s.notify()
}

func (s *signIn) over() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

func (s *signIn) snapshot() view.SignIn {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.view
}

func (s *signIn) notify() {
	s.inspector.journal.touch("auth/"+s.view.ID, func() (view.Event, bool) {
		shown := s.snapshot()
		return view.Event{Kind: "auth", SignIn: &shown}, true
	})
}

// SignIns lists the sign-ins, oldest first.
func (i *Inspector) SignIns() view.SignIns {
	out := view.SignIns{SignIns: []view.SignIn{}, Funnel: []view.AuthTitle{}}
	i.mu.Lock()
	all := slices.Clone(i.signIns)
	i.mu.Unlock()
	for _, s := range all {
		out.SignIns = append(out.SignIns, s.snapshot())
	}
	for _, t := range auth.Titles {
		if t.Name != auth.Exchange && t.Name != auth.Expired && t.Name != auth.Refresh { // not part of the browser flow
			out.Funnel = append(out.Funnel, view.AuthTitle{Name: string(t.Name), Title: t.Title})
		}
	}
	return out
}

// SignInOf returns one sign-in.
func (i *Inspector) SignInOf(id string) (view.SignIn, error) {
	s, err := i.signIn(id)
	if err != nil {
		return view.SignIn{}, err
	}
	return s.snapshot(), nil
}

// CancelSignIn cancels a sign-in in progress and keeps its steps.
func (i *Inspector) CancelSignIn(id string) (view.SignIn, error) {
	s, err := i.signIn(id)
	if err != nil {
		return view.SignIn{}, err
	}
	s.cancel()
	<-s.done
	return s.snapshot(), nil
}

func (i *Inspector) signIn(id string) (*signIn, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, s := range i.signIns {
		if s.view.ID == id {
			return s, nil
		}
	}
	return nil, view.NotFound("unknown sign-in %q", id)
}

// endSignIns cancels all sign-ins in progress.
func (i *Inspector) endSignIns() {
	i.mu.Lock()
	all := slices.Clone(i.signIns)
	i.mu.Unlock()
	for _, s := range all {
		s.cancel()
		<-s.done
	}
}

// TokenOf returns the state of the token stored for a server.
func (i *Inspector) TokenOf(id string) (view.Tokens, error) {
	address, err := i.addressOf(id)
	if err != nil {
		return view.Tokens{}, err
	}
	kept, err := signin.TokenState(i.bench, address, false)
	if err != nil {
		return view.Tokens{}, err
	}
	return view.Tokens{Token: tokenOf(kept.Token)}, nil
}

// SignOut deletes the token for a server. Open connections stay open.
func (i *Inspector) SignOut(id string) error {
	address, err := i.addressOf(id)
	if err != nil || i.bench.Tokens == nil {
		return err
	}
	_, err = i.bench.Tokens.Remove(address)
	return err
}

func (i *Inspector) addressOf(id string) (string, error) {
	e, err := i.find(id)
	if err != nil {
		return "", err
	}
	found, err := e.resolve()
	if err != nil {
		return "", err
	}
	if found.Target.URL == "" {
		return "", view.Usage("%s does not use HTTP, so it has no token", e.shown.Name)
	}
	return found.Target.URL, nil
}

func tokenOf(s *signin.AuthState) *view.Token {
	if s == nil {
		return nil
	}
	t := &view.Token{Server: redact.URL(s.Server), Resource: redact.URL(s.Resource), Issuer: s.Issuer,
		ClientID: s.ClientID,
		Scopes:   s.Scopes, Obtained: s.Obtained,
		Expired: s.Expired, Renewable: s.Renewable}
	if !s.Expires.IsZero() {
		t.Expires = &s.Expires
	}
	if t.Scopes == nil {
		t.Scopes = []string{}
	}
	return t
}
