package suite

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/document"
)

// A Hook is a command that runs beside the tests. It is words, not a line for a shell.
type Hook struct {
	document.Position `yaml:"-"`

	Command    []string          `yaml:"command" required:"yes" doc:"the command, word by word" example:"[docker, compose, up, --wait]"`
	Cwd        string            `yaml:"cwd" doc:"the directory that it runs in; relative to this file" example:"server"`
	Env        map[string]string `yaml:"env" doc:"more variables of its environment" example:"{PORT: \"8080\"}"`
	Timeout    time.Duration     `yaml:"timeout" doc:"how long it may take, or how long to wait for wait_for" default:"1m" example:"30s"`
	Background bool              `yaml:"background" doc:"leave it running until the tests are over" default:"false" example:"true"`
	WaitFor    *WaitFor          `yaml:"wait_for" doc:"with background: what must hold before the tests begin" example:"{tcp: localhost:8080}"`
}

// ReadNode reads a hook: a list is its command.
func (h *Hook) ReadNode(n *document.Node, d *document.Decoder) {
	if n.Kind == document.List {
		d.Decode(n, &h.Command)
		return
	}
	if n.Kind == document.String {
		d.Wrong(n, "a line for a shell; want the words of the command as a list, such as [make, seed]")
		return
	}
	type plain Hook
	d.Decode(n, (*plain)(h))
	if h.WaitFor != nil && !h.Background {
		d.Wrong(n, "wait_for is for a command in the background; add background: true")
	}
}

// JSONSchema allows a list of words beside the fields.
func (h *Hook) JSONSchema() json.RawMessage {
	return json.RawMessage(`{"anyOf":[{"type":"array","items":{"type":"string"},"minItems":1},{"$ref":"#/$defs/hook"}]}`)
}

// A WaitFor is what must hold before tests begin.
type WaitFor struct {
	TCP  string `yaml:"tcp" doc:"an address that accepts connections: localhost:8080" example:"localhost:8080"`
	URL  string `yaml:"url" doc:"an address that answers with a status below 500" example:"http://localhost:8080/healthz"`
	File string `yaml:"file" doc:"a file that is there; relative to this file" example:"server/ready"`
}

const hookTimeout = time.Minute

// String names what is waited for.
func (w *WaitFor) String() string {
	var all []string
	for _, name := range []string{w.TCP, w.URL, w.File} {
		if name != "" {
			all = append(all, name)
		}
	}
	return strings.Join(all, " and ")
}

// overtime tells of a hook whose time was over, and how to give it more.
func overtime(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("%w: its time was over (timeout of the hook; 1m where it has none)", err)
	}
	return err
}

// A hooks runs commands and ends those that were left running.
type hooks struct {
	in  scope
	dir string

	mu      sync.Mutex
	running []*background
}

type background struct {
	cmd  *exec.Cmd
	stop context.CancelFunc
	done chan struct{}
	err  error
}

// run runs the commands one after another.
func (hs *hooks) run(ctx context.Context, list []Hook) error {
	for _, h := range list {
		if err := hs.one(ctx, h); err != nil {
			return fmt.Errorf("%s:%d: %s: %w", h.File, h.Line, strings.Join(h.Command, " "), err)
		}
	}
	return nil
}

func (hs *hooks) one(ctx context.Context, h Hook) error {
	words, env, err := hs.expand(h)
	if err != nil {
		return err
	}
	timeout := h.Timeout
	if timeout == 0 {
		timeout = hookTimeout
	}
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	life, stop := limited, context.CancelFunc(func() {})
	if h.Background {
		life, stop = context.WithCancel(context.WithoutCancel(ctx))
	}
	cmd := exec.CommandContext(life, words[0], words[1:]...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = filepath.Join(hs.dir, h.Cwd), env, 2*time.Second
	if filepath.IsAbs(h.Cwd) {
		cmd.Dir = h.Cwd
	}
	var said tail
	cmd.Stdout, cmd.Stderr = &said, &said
	together(cmd)
	if !h.Background {
		stop()
		err := cmd.Run()
		if cmd.Process != nil {
			sweep(cmd)
		}
		if err != nil {
			return said.explain(overtime(limited, err))
		}
		return nil
	}
	if err := cmd.Start(); err != nil {
		stop()
		return err
	}
	b := &background{cmd: cmd, stop: stop, done: make(chan struct{})}
	go func() { b.err = cmd.Wait(); sweep(cmd); close(b.done) }()
	hs.mu.Lock()
	hs.running = append(hs.running, b)
	hs.mu.Unlock()
	return hs.await(limited, h, b, &said)
}

func (hs *hooks) expand(h Hook) (words, env []string, err error) {
	env = os.Environ()
	for name, value := range h.Env {
		if value, err = hs.in.text(value); err != nil {
			return nil, nil, err
		}
		env = append(env, name+"="+value)
	}
	for _, word := range h.Command {
		if word, err = hs.in.text(word); err != nil {
			return nil, nil, err
		}
		words = append(words, word)
	}
	if len(words) == 0 || words[0] == "" {
		return nil, nil, errors.New("the command is empty")
	}
	return words, env, nil
}

// await waits until what the hook waits for holds, or its process has ended.
func (hs *hooks) await(ctx context.Context, h Hook, b *background, said *tail) error {
	if h.WaitFor == nil {
		return nil
	}
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		ready, err := hs.ready(ctx, h.WaitFor)
		if ready || err != nil {
			return err
		}
		select {
		case <-b.done:
			return said.explain(fmt.Errorf("it ended before it was ready: %v", b.err))
		case <-ctx.Done():
			return said.explain(overtime(ctx, fmt.Errorf("%s is not there", h.WaitFor)))
		case <-tick.C:
		}
	}
}

func (hs *hooks) ready(ctx context.Context, w *WaitFor) (bool, error) {
	tcp, err1 := hs.in.text(w.TCP)
	url, err2 := hs.in.text(w.URL)
	file, err3 := hs.in.text(w.File)
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
	if url != "" && !answers(ctx, url) {
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

func answers(ctx context.Context, url string) bool {
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

// end ends the commands that are still running and waits for them.
func (hs *hooks) end() {
	hs.mu.Lock()
	defer hs.mu.Unlock()
	for _, b := range hs.running {
		b.stop()
		<-b.done
	}
	hs.running = nil
}

// A tail keeps the end of what a command says.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailBytes = 4 << 10

// Write keeps the last bytes.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if extra := len(t.text) - tailBytes; extra > 0 {
		t.text = bytes.Clone(t.text[extra:])
	}
	return len(p), nil
}

// explain adds the last words of the command to an error.
func (t *tail) explain(err error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if said := strings.TrimSpace(string(t.text)); said != "" {
		return fmt.Errorf("%w; its last words: %s", err, shorten(said))
	}
	return err
}
