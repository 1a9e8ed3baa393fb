package main

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A loadJob is described in README.md.
type loadJob struct {
	Name    string   `json:"name"`
	Era     string   `json:"era"`
	URL     string   `json:"url"`
	Tools   []string `json:"tools"`
	Workers int      `json:"workers"`
	Rate    float64  `json:"rate"`
	Seconds float64  `json:"seconds"`
	Timeout float64  `json:"timeout"`
}

// runLoad calls tools at a rate. After an error it connects again.
func runLoad(ctx context.Context, text string) error {
	var j loadJob
	if err := json.Unmarshal([]byte(text), &j); err != nil {
		return err
	}
	var writing sync.Mutex
	write := func(line any) {
		writing.Lock()
		defer writing.Unlock()
		emit(line)
	}
	end := time.Now().Add(seconds(j.Seconds))
	var workers sync.WaitGroup
	for worker := range j.Workers {
		workers.Go(func() {
			for n := 0; time.Now().Before(end); {
				session, err := j.connect(ctx)
				if err != nil {
					write(map[string]any{"op": "connect", "error": err.Error(), "end": now()})
					time.Sleep(100 * time.Millisecond)
					continue
				}
				for ; time.Now().Before(end) && err == nil; n++ {
					began := time.Now()
					var line map[string]any
					line, err = j.call(ctx, session, j.Tools[n%len(j.Tools)], fmt.Sprintf("%s-%d-%d", j.Name, worker, n))
					write(line)
					time.Sleep(time.Until(began.Add(seconds(float64(j.Workers) / j.Rate))))
				}
				_ = session.Close()
			}
		})
	}
	workers.Wait()
	return nil
}

func (j *loadJob) connect(ctx context.Context) (*mcp.ClientSession, error) {
	ctx, cancel := context.WithTimeout(ctx, seconds(j.Timeout))
	defer cancel()
	sdk := mcp.NewClient(&mcp.Implementation{Name: "gosdk", Version: "1.0.0"},
		&mcp.ClientOptions{ElicitationHandler: repeated})
	var opts *mcp.ClientSessionOptions
	if j.Era == "handshake" {
		opts = &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"}
	}
	return sdk.Connect(context.WithoutCancel(ctx), &mcp.StreamableClientTransport{Endpoint: j.URL}, opts)
}

func (j *loadJob) call(ctx context.Context, s *mcp.ClientSession, tool, key string) (map[string]any, error) {
	ctx, cancel := context.WithTimeout(ctx, seconds(j.Timeout))
	defer cancel()
	line := map[string]any{"op": tool, "key": key, "start": now()}
	params := &mcp.CallToolParams{Name: tool, Arguments: map[string]any{"key": key}}
	params.SetProgressToken(key)
	result, err := s.CallTool(ctx, params)
	line["end"] = now()
	if err == nil && result.IsError {
		err = fmt.Errorf("isError: %v", result.Content[0])
	}
	if err != nil {
		line["error"] = err.Error()
		return line, err
	}
	line["got"] = result.Content[0].(*mcp.TextContent).Text
	return line, nil
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

func now() float64 { return float64(time.Now().UnixMicro()) / 1e6 }
