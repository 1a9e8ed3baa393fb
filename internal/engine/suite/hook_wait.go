package suite

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A WaitFor is a condition to meet before tests start.
type WaitFor struct {
	TCP  string `yaml:"tcp" doc:"an address that accepts connections: localhost:8080" example:"localhost:8080"`
	URL  string `yaml:"url" doc:"a URL that responds with a status below 500" example:"http://localhost:8080/healthz"`
	File string `yaml:"file" doc:"a file that exists; relative to this file" example:"server/ready"`
	// Output is matched against the last few KiB of output, line breaks included.
	Output string `yaml:"output" doc:"a regular expression that matches the output of the command" example:"listening on"`
}

// String describes the condition.
func (w *WaitFor) String() string {
	var all []string
	for _, name := range []string{w.TCP, w.URL, w.File} {
		if name != "" {
			all = append(all, name)
		}
	}
	if w.Output != "" {
		all = append(all, fmt.Sprintf("output %q", w.Output))
	}
	return strings.Join(all, " and ")
}

// await waits until the condition of the hook is met, or its process has exited.
func (hs *hooks) await(ctx context.Context, in scope, h Hook, b *background) error {
	if h.WaitFor == nil {
		return nil
	}
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		ready, err := hs.ready(ctx, in, h.WaitFor)
		if ready && b.output.said() || err != nil {
			return err
		}
		select {
		case <-b.helper.Done():
			return b.output.explain(fmt.Errorf("exited before it was ready: %w", exited(b.helper.Err())))
		case <-ctx.Done():
			return b.output.explain(overtime(ctx, fmt.Errorf("%s is not available", h.WaitFor)))
		case <-tick.C:
		}
	}
}

func (hs *hooks) ready(ctx context.Context, in scope, w *WaitFor) (bool, error) {
	tcp, err1 := in.Text(w.TCP)
	url, err2 := in.Text(w.URL)
	file, err3 := in.Text(w.File)
	if err := errors.Join(err1, err2, err3); err != nil {
		return false, err
	}
	if tcp != "" {
		conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", tcp)
		if err != nil {
			return false, nil
		}
		_ = conn.Close()
	}
	if url != "" && !responds(ctx, url) {
		return false, nil
	}
	if file != "" {
		if !filepath.IsAbs(file) {
			file = filepath.Join(hs.dir, file)
		}
		if _, err := os.Stat(file); err != nil {
			return false, nil
		}
	}
	return true, nil
}

func responds(ctx context.Context, url string) bool {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return false
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	_ = resp.Body.Close()
	return resp.StatusCode < 500
}
