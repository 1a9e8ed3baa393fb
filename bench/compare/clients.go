package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A call is one call of the echo tool, whose answer is looked at.
type call func(context.Context) error

const (
	arguments = `{"message":"hello"}`
	roundTime = 300 * time.Millisecond // of one turn
	revision  = "2025-11-25"           // which every peer speaks
)

// A measure is one figure of a call that is made again and again for a turn.
type measure func(context.Context, call) (float64, error)

// clients compares our client with that of the Go SDK.
func clients(overHTTP bool, m measure) func(context.Context, *lab) (*pair, error) {
	return func(ctx context.Context, l *lab) (*pair, error) {
		p := &pair{}
		at := wire.Target{Name: "echo", Command: []string{l.self, echoMode}}
		if overHTTP {
			url, err := p.serve(exec.Command(l.self, echoHTTPMode))
			if err != nil {
				return nil, err
			}
			at = wire.Target{Name: "echo", URL: url}
		}
		our, err := p.our(ctx, at, "echo")
		if err != nil {
			p.stop()
			return nil, err
		}
		their, err := p.sdk(ctx, at)
		if err != nil {
			p.stop()
			return nil, err
		}
		p.ours, p.theirs = m.of(our), m.of(their)
		return p, nil
	}
}

// our connects with a session of mcptest's, recorded as every session is.
func (p *pair) our(ctx context.Context, at wire.Target, tool string) (call, error) {
	s, err := mcp.Connect(ctx, at, wire.NewTranscript(nil), &mcp.Options{Protocol: revision})
	if err != nil {
		return nil, err
	}
	p.end = append(p.end, func() { _ = s.Close() })
	params := json.RawMessage(`{"name":"` + tool + `","arguments":` + arguments + `}`)
	return func(ctx context.Context) error {
		ex, err := s.Do(ctx, mcp.Request{Method: "tools/call", Params: params})
		if err != nil {
			return err
		}
		if ex.Reply.Error != nil || len(ex.Reply.Result) < 40 {
			return fmt.Errorf("the answer is %s", ex.Reply.Frame.Body)
		}
		return nil
	}, nil
}

// sdk connects with the client of the Go SDK.
func (p *pair) sdk(ctx context.Context, at wire.Target) (call, error) {
	var transport sdk.Transport = &sdk.StreamableClientTransport{Endpoint: at.URL}
	if at.URL == "" {
		transport = &sdk.CommandTransport{Command: exec.Command(at.Command[0], at.Command[1:]...)}
	}
	s, err := sdk.NewClient(&sdk.Implementation{Name: "compare", Version: "1"}, nil).Connect(ctx, transport, nil)
	if err != nil {
		return nil, err
	}
	p.end = append(p.end, func() { _ = s.Close() })
	return func(ctx context.Context) error {
		result, err := s.CallTool(ctx, &sdk.CallToolParams{Name: "echo", Arguments: json.RawMessage(arguments)})
		if err == nil && len(result.Content) != 1 {
			err = errors.New("no content")
		}
		return err
	}, nil
}

func (m measure) of(c call) func(context.Context) (float64, error) {
	return func(ctx context.Context) (float64, error) { return m(ctx, c) }
}

// busy is how many calls a second are made, 32 at a time.
func busy(ctx context.Context, c call) (float64, error) {
	calls, took, err := repeat(ctx, 32, c)
	return float64(calls) / took.Seconds(), err
}

// repeat makes calls for a turn, n at a time.
func repeat(ctx context.Context, n int, c call) (calls int64, took time.Duration, err error) {
	var done atomic.Int64
	var failed sync.Map
	var wg sync.WaitGroup
	start := time.Now()
	for range n {
		wg.Go(func() {
			for time.Since(start) < roundTime {
				if err := c(ctx); err != nil {
					failed.Store("error", err)
					return
				}
				done.Add(1)
			}
		})
	}
	wg.Wait()
	if err, ok := failed.Load("error"); ok {
		return 0, time.Since(start), err.(error)
	}
	return max(done.Load(), 1), time.Since(start), nil
}

// latency is the median time of a call, in microseconds.
func latency(ctx context.Context, c call) (float64, error) { return medianTime(ctx, 1, c) }

// latencyBusy is the same with 32 callers.
func latencyBusy(ctx context.Context, c call) (float64, error) { return medianTime(ctx, 32, c) }

func medianTime(ctx context.Context, n int, c call) (float64, error) {
	var mu sync.Mutex
	var times []float64
	_, _, err := repeat(ctx, n, func(ctx context.Context) error {
		began := time.Now()
		err := c(ctx)
		took := float64(time.Since(began).Nanoseconds()) / 1000
		mu.Lock()
		defer mu.Unlock()
		times = append(times, took)
		return err
	})
	return median(times), err
}
