package suite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// runningFixtures are the fixtures that a test can use.
type runningFixtures []*activeFixture

// An activeFixture is a fixture that was started.
type activeFixture struct {
	name    string
	value   json.RawMessage
	process *background // of a process
	stub    *stub       // of an HTTP server
	end     func()
}

// A fixtureSet is the fixtures of one run, file or test, in the order in which they were started.
type fixtureSet struct {
	mu  sync.Mutex // held while one is started: files may share it
	all []*activeFixture
	ids []string
}

// get returns the fixture with this ID, and starts it if need be.
func (fs *fixtureSet) get(id string, start func() (*activeFixture, error)) (*activeFixture, error) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if i := slices.Index(fs.ids, id); i >= 0 {
		return fs.all[i], nil
	}
	a, err := start()
	if err != nil {
		return nil, err
	}
	fs.all, fs.ids = append(fs.all, a), append(fs.ids, id)
	return a, nil
}

// end ends the fixtures, the last one first.
func (fs *fixtureSet) end() {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	for _, a := range slices.Backward(fs.all) {
		a.end()
	}
	fs.all, fs.ids = nil, nil
}

// withFixtures starts the fixtures of the suite with these scopes. It returns the suite with their values.
func (r *run) withFixtures(ctx context.Context, s *Suite, into *fixtureSet, scopes ...string) (*Suite, error) {
	out := *s
	if len(s.fixtures) == 0 {
		return s, nil
	}
	for _, name := range s.fixtures {
		f := s.Fixtures[name]
		if !slices.Contains(scopes, f.lasts()) {
			continue
		}
		set, id := into, name
		if f.lasts() == scopeRun {
			set, id = r.fixtures, fmt.Sprintf("%s\x00%s\x00%d", name, f.File, f.Line)
		}
		in := out.scope
		a, err := set.get(id, func() (*activeFixture, error) { return r.start(ctx, name, f, in) })
		if err != nil {
			return s, fmt.Errorf("%s:%d: fixture %s: %w", f.File, f.Line, name, err)
		}
		out.scope, out.running = out.scope.WithFixture(name, a.value), append(slices.Clip(out.running), a)
	}
	return &out, nil
}

func (r *run) start(ctx context.Context, name string, f *Fixture, in scope) (*activeFixture, error) {
	a := &activeFixture{name: name}
	var err error
	switch dir := filepath.Dir(f.File); {
	case f.Directory != nil:
		err = a.directory(f.Directory, dir, in)
	case len(f.HTTP) > 0:
		err = a.listen(f.HTTP, dir, in, r.opts.Files)
	default:
		err = a.run(ctx, f, in, &hooks{dir: dir, supervisor: r.opts.Supervisor})
	}
	return a, err
}

// run starts the process of a fixture and waits until it is ready. Its value is a free port.
func (a *activeFixture) run(ctx context.Context, f *Fixture, in scope, hs *hooks) error {
	port, err := freePort(ctx)
	if err != nil {
		return err
	}
	a.value = json.RawMessage(strconv.Itoa(port))
	a.end = hs.end
	in = in.WithFixture(a.name, a.value)
	if err := hs.one(ctx, in, Hook{Position: f.Position, Command: f.Command, Cwd: f.Cwd, Env: f.Env, Timeout: f.Timeout,
		Background: true, WaitFor: f.WaitFor}); err != nil {
		hs.end()
		return err
	}
	a.process = hs.running[0]
	return nil
}

// freePort returns a port of the loopback interface that nothing listens on.
func freePort(ctx context.Context) (int, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}

// remarks are what a user should know about the fixtures of a test: processes that have exited, requests without a
// response.
func (rf runningFixtures) remarks() []string {
	var all []string
	for _, a := range rf {
		if a.process != nil {
			select {
			case <-a.process.helper.Done():
				all = append(all, fmt.Sprintf("fixture %s has exited: %v", a.name,
					a.process.output.explain(exited(a.process.helper.Err()))))
			default:
			}
		}
		if a.stub != nil {
			for _, request := range a.stub.takeUnknown() {
				all = append(all, fmt.Sprintf("fixture %s has no response for %s", a.name, request))
			}
		}
	}
	return all
}

// exited describes how a command exited.
func exited(err error) error {
	var exit *wire.ExitError
	switch {
	case err == nil:
		return errors.New("status 0")
	case errors.As(err, &exit):
		return fmt.Errorf("status %d", exit.Code)
	}
	return err
}

// restartFor decides when a server is restarted: at the latest when a fixture ends that it refers to.
func (s *Suite) restartFor(server *Server) string {
	restart := s.restart()
	for _, name := range s.scope.FixturesIn(server.texts()) {
		switch s.Fixtures[name].lasts() {
		case scopeTest:
			return scopeTest
		case scopeFile:
			if restart == scopeRun {
				restart = scopeFile
			}
		}
	}
	return restart
}
