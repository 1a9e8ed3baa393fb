package suite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A hooks runs commands and stops those in the background.
type hooks struct {
	dir        string
	supervisor []string // stops them when mcptest is killed

	mu      sync.Mutex
	running []*background
}

// A background is a command in the background, with its last output.
type background struct {
	helper *wire.AuxProcess
	output *tail
}

// run runs the commands in order.
func (hs *hooks) run(ctx context.Context, in scope, list []Hook) error {
	for _, h := range list {
		if err := hs.one(ctx, in, h); err != nil {
			return fmt.Errorf("%s:%d: %s: %w", h.File, h.Line, strings.Join(h.Command, " "), err)
		}
	}
	return nil
}

func (hs *hooks) one(ctx context.Context, in scope, h Hook) error {
	target, err := hs.target(in, h)
	if err != nil {
		return err
	}
	timeout := h.Timeout
	if timeout == 0 {
		timeout = hookTimeout
	}
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	b := &background{output: &tail{}}
	if h.WaitFor != nil && h.WaitFor.Output != "" {
		if b.output.awaited, err = regexp.Compile(h.WaitFor.Output); err != nil {
			return fmt.Errorf("wait_for: output: %w", err)
		}
	}
	if b.helper, err = wire.StartHelper(target, b.output); err != nil {
		return err
	}
	if h.Background {
		hs.mu.Lock()
		hs.running = append(hs.running, b)
		hs.mu.Unlock()
		return hs.await(limited, in, h, b)
	}
	select {
	case <-b.helper.Done():
		err = b.helper.Err()
	case <-limited.Done():
		b.helper.End()
		err = overtime(limited, errors.New("it was stopped"))
	}
	if err != nil {
		return b.output.explain(err)
	}
	return nil
}

// target is the command of a hook with its variables expanded. For a background command, the supervisor stops
// everything that the command started; other commands may start a service and return, so they must be able to leave it
// running.
func (hs *hooks) target(in scope, h Hook) (wire.Target, error) {
	words, env, err := expand(in, h)
	if err != nil {
		return wire.Target{}, err
	}
	dir, err := in.Text(h.Cwd)
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(hs.dir, dir)
	}
	return wire.Target{Command: words, Env: env, Dir: dir, Supervisor: hs.supervisor, Leaves: !h.Background}, err
}

func expand(in scope, h Hook) (words, env []string, err error) {
	env = os.Environ()
	for name, value := range h.Env {
		if value, err = in.Text(value); err != nil {
			return nil, nil, err
		}
		env = append(env, name+"="+value)
	}
	for _, word := range h.Command {
		if word, err = in.Text(word); err != nil {
			return nil, nil, err
		}
		words = append(words, word)
	}
	if len(words) == 0 || words[0] == "" {
		return nil, nil, errors.New("the command is empty")
	}
	return words, env, nil
}

// end stops the commands that are still running and waits for them.
func (hs *hooks) end() {
	hs.mu.Lock()
	defer hs.mu.Unlock()
	for _, b := range hs.running {
		b.helper.End()
	}
	hs.running = nil
}

// overtime reports a hook that timed out, and how to raise the limit.
func overtime(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("%w: hook timed out (set timeout; default 1m)", err)
	}
	return err
}
