package inspector

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/target"
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
	view SignIn
}

// SignIn starts an authorization flow for a server. It returns immediately: events report its progress.
func (i *Inspector) SignIn(in NewSignIn) (SignIn, error) {
	e, err := i.find(in.Server)
	if err != nil {
		return SignIn{}, err
	}
	if err := checkLink(NewLink{Protocol: in.Protocol}); err != nil {
		return SignIn{}, err
	}
	found, err := i.mayReach(e)
	if err != nil {
		return SignIn{}, err
	}
	if found.Target.URL == "" {
		return SignIn{}, usage("%s does not use HTTP; tokens are available only for HTTP servers", e.shown.Name)
	}
	i.bench.Secrets.Join(found.Secrets)
	i.bench.Secrets.Add(in.ClientSecret)
	ctx, cancel := context.WithCancel(context.Background())
	s := &signIn{inspector: i, cancel: cancel, done: make(chan struct{})}
	s.view = SignIn{Server: e.shown.ID, Name: e.shown.Name, State: SignInRunning, Steps: []AuthStep{}, Started: time.Now()}
	if err := i.keepSignIn(s); err != nil {
		cancel()
		return SignIn{}, err
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

// keepSignIn assigns an ID to a sign-in and evicts the oldest finished one.
func (i *Inspector) keepSignIn(s *signIn) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.closed {
		return errors.New("mcptest is shutting down")
	}
	if len(i.signIns) >= maxSignIns {
		at := slices.IndexFunc(i.signIns, func(old *signIn) bool { return old.over() })
		if at < 0 {
			return usage("too many sign-ins in progress (%d)", maxSignIns).hint("cancel one of them")
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
func (s *signIn) walk(ctx context.Context, found *target.Resolved, in NewSignIn) {
	bench := s.inspector.bench
	quiet := &workbench.Workbench{Version: bench.Version, System: bench.System, Secrets: bench.Secrets, Tokens: bench.Tokens}
	settings := workbench.AuthSettings{ClientID: in.ClientID, ClientSecret: in.ClientSecret, ClientDocument: in.ClientDocument,
		ClientCredentials: in.ClientCredentials, Scope: in.Scopes, Issuer: in.Issuer, CallbackPort: in.CallbackPort, AllowPrivate: in.AllowPrivate, NoStore: in.NoStore}
	s.tell()
	result, err := quiet.SignIn(ctx, found, &settings, workbench.SignInOptions{Protocol: in.Protocol, OnStep: s.step})
	s.mu.Lock()
	s.view.Open = ""
	switch {
	case ctx.Err() != nil:
		s.view.State = SignInCancelled
	case err != nil && result != nil && len(s.view.Steps) == 0:
		s.view.State, s.view.Steps = SignInFailed, []AuthStep{unreached(s.inspector.Problem(err))}
	case err != nil:
		s.view.State, s.view.Problem = SignInFailed, s.inspector.Problem(err)
	case !result.OK:
		s.view.State = SignInFailed
	default:
		s.view.State, s.view.Stored, s.view.Token = SignInDone, result.Stored, tokenOf(result.Token)
	}
	if result != nil {
		s.view.Needed = result.Needed
	}
	s.mu.Unlock()
	s.tell()
}

// unreached returns the first step of a flow that could not reach the server.
func unreached(p *Problem) AuthStep {
	return AuthStep{Seq: 1, Name: string(auth.Challenge), Title: auth.Challenge.Title(), State: string(auth.Failed), Problem: p.Message, Hint: p.Hint}
}

// step records a step in its current state.
func (s *signIn) step(made auth.Step) {
	shown := showStep(made)
	s.mu.Lock()
	if last := len(s.view.Steps) - 1; last >= 0 && s.view.Steps[last].Seq == shown.Seq {
		s.view.Steps = append(slices.Clone(s.view.Steps[:last]), shown)
	} else {
		s.view.Steps = append(slices.Clip(s.view.Steps), shown)
	}
	s.view.Open, s.view.State = shown.Open, SignInRunning
	if made.State == auth.Waiting {
		s.view.State = SignInWaiting
	} else {
		s.view.Open = ""
	}
	s.mu.Unlock()
	s.tell()
}

func (s *signIn) over() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

func (s *signIn) snapshot() SignIn {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.view
}

func (s *signIn) tell() {
	s.inspector.journal.touch("auth/"+s.view.ID, func() (Event, bool) {
		view := s.snapshot()
		return Event{Kind: "auth", SignIn: &view}, true
	})
}

// SignIns lists the sign-ins, oldest first.
func (i *Inspector) SignIns() SignIns {
	out := SignIns{SignIns: []SignIn{}, Funnel: []AuthTitle{}}
	i.mu.Lock()
	all := slices.Clone(i.signIns)
	i.mu.Unlock()
	for _, s := range all {
		out.SignIns = append(out.SignIns, s.snapshot())
	}
	for _, t := range auth.Titles {
		if t.Name != auth.Exchange && t.Name != auth.Refresh { // not part of the browser flow
			out.Funnel = append(out.Funnel, AuthTitle{Name: string(t.Name), Title: t.Title})
		}
	}
	return out
}

// SignInOf returns one sign-in.
func (i *Inspector) SignInOf(id string) (SignIn, error) {
	s, err := i.signIn(id)
	if err != nil {
		return SignIn{}, err
	}
	return s.snapshot(), nil
}

// CancelSignIn cancels a sign-in in progress and keeps its steps.
func (i *Inspector) CancelSignIn(id string) (SignIn, error) {
	s, err := i.signIn(id)
	if err != nil {
		return SignIn{}, err
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
	return nil, notFound("unknown sign-in %q", id)
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
func (i *Inspector) TokenOf(id string) (Tokens, error) {
	address, err := i.addressOf(id)
	if err != nil {
		return Tokens{}, err
	}
	kept, err := i.bench.TokenState(address, false)
	if err != nil {
		return Tokens{}, err
	}
	return Tokens{Token: tokenOf(kept.Token)}, nil
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
		return "", usage("%s does not use HTTP, so it has no token", e.shown.Name)
	}
	return found.Target.URL, nil
}

func tokenOf(s *workbench.AuthState) *Token {
	if s == nil {
		return nil
	}
	t := &Token{Server: redact.URL(s.Server), Resource: redact.URL(s.Resource), Issuer: s.Issuer, ClientID: s.ClientID, Scopes: s.Scopes, Obtained: s.Obtained,
		Expired: s.Expired, Renewable: s.Renewable}
	if !s.Expires.IsZero() {
		t.Expires = &s.Expires
	}
	if t.Scopes == nil {
		t.Scopes = []string{}
	}
	return t
}
