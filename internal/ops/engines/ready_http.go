package engines

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/ready"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// How long a package that serves HTTP may take until it listens, and how often that is tried.
const (
	listenTimeout  = time.Minute
	listenInterval = 100 * time.Millisecond
)

// serve starts a package that serves HTTP, and waits until it listens at its declared URL. The caller calls stop.
func (s *starter) serve(ctx context.Context, l ready.Launch, t wire.Target) (said *lockedOutput, stop func(), err error) {
	address, err := addressOf(l.URL)
	if err != nil {
		return nil, nil, err
	}
	said = &lockedOutput{}
	program, err := wire.StartHelper(t, said)
	if err != nil {
		return nil, nil, err
	}
	limited, cancel := context.WithTimeout(ctx, listenTimeout)
	defer cancel()
	again := time.NewTicker(listenInterval)
	defer again.Stop()
	for {
		select {
		case <-program.Done():
			why := errors.New("the program exited before it listened at " + l.URL)
			if program.Err() != nil {
				why = fmt.Errorf("%w: %w", why, program.Err())
			}
			return nil, nil, &wire.Error{Target: l.What, Doing: "start", Err: why, Stderr: said.text()}
		case <-limited.Done():
			program.End()
			if ctx.Err() != nil {
				return nil, nil, context.Cause(ctx)
			}
			why := fmt.Errorf("nothing listens at %s after %v", l.URL, listenTimeout)
			return nil, nil, &wire.Error{Target: l.What, Doing: "start", Err: why, Stderr: said.text()}
		case <-again.C:
			if listens(limited, address) {
				return said, program.End, nil
			}
		}
	}
}

// occupied returns why a package that serves HTTP cannot be started: another program would be taken for it.
func occupied(ctx context.Context, l ready.Launch) string {
	address, err := addressOf(l.URL)
	if l.URL == "" || l.Kind == "" || err != nil || !listens(ctx, address) {
		return ""
	}
	return "another program already listens at its address: " + l.URL
}

// listens reports whether a program accepts connections at an address.
func listens(ctx context.Context, address string) bool {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		return false
	}
	_ = conn.Close()
	return true
}

// addressOf returns the host and port of a URL.
func addressOf(link string) (string, error) {
	u, err := url.Parse(link)
	if err != nil {
		return "", err
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port), nil
}
