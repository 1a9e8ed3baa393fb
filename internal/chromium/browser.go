package chromium

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// An Event is an event of a target.
type Event struct {
	Session string // of the target; empty for the browser
	Method  string
	Params  json.RawMessage
}

// A Browser is a running browser.
type Browser struct {
	cmd     *exec.Cmd
	dir     string // its profile
	in      io.WriteCloser
	stop    func()
	onEvent func(Event)
	ended   chan struct{}

	mu      sync.Mutex
	nextID  int
	waiting map[int]chan message
}

// A message is one message of the protocol.
type message struct {
	ID      int             `json:"id,omitempty"`
	Session string          `json:"sessionId,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// maxMessage limits a message of the browser, such as a screenshot.
const maxMessage = 64 << 20

// options start a browser that does nothing on its own.
var options = []string{"--headless", "--remote-debugging-pipe", "--no-first-run", "--no-default-browser-check",
	"--disable-background-networking", "--disable-component-update", "--disable-default-apps", "--disable-extensions",
	"--disable-sync", "--disable-breakpad", "--disable-dev-shm-usage", "--metrics-recording-only", "--mute-audio",
	"--hide-scrollbars", "--no-service-autorun", "--password-store=basic", "--enable-unsafe-swiftshader",
	"--force-webrtc-ip-handling-policy=disable_non_proxied_udp", "--disable-features=Translate,OptimizationHints,MediaRouter"}

// Start starts a browser with a temporary profile. OnEvent is called for each event, in order; it must not wait for the
// browser. The caller must close it.
func Start(ctx context.Context, path string, onEvent func(Event)) (*Browser, error) {
	dir, err := os.MkdirTemp("", "mcptest-browser")
	if err != nil {
		return nil, err
	}
	args := append([]string{"--user-data-dir=" + dir}, options...)
	if os.Geteuid() == 0 {
		args = append(args, "--no-sandbox") // it does not start as root otherwise
	}
	b := &Browser{cmd: exec.Command(path, append(args, "about:blank")...), dir: dir, onEvent: onEvent,
		ended: make(chan struct{}), waiting: map[int]chan message{}}
	out, err := b.start()
	if err != nil {
		_ = os.RemoveAll(dir)
		return nil, fmt.Errorf("start %s: %w", path, err)
	}
	go b.read(out)
	first, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	if err := b.Call(first, "", "Browser.getVersion", nil, nil); err != nil {
		b.Close()
		return nil, fmt.Errorf("start %s: %w", path, err)
	}
	return b, nil
}

// read passes on what the browser sends.
func (b *Browser) read(out io.ReadCloser) {
	defer close(b.ended)
	defer func() { _ = out.Close() }()
	in := bufio.NewScanner(out)
	in.Buffer(nil, maxMessage)
	in.Split(splitNul)
	for in.Scan() {
		var m message
		if json.Unmarshal(in.Bytes(), &m) != nil {
			continue
		}
		if m.Method != "" {
			b.onEvent(Event{m.Session, m.Method, m.Params})
			continue
		}
		b.mu.Lock()
		waiting := b.waiting[m.ID]
		delete(b.waiting, m.ID)
		b.mu.Unlock()
		if waiting != nil {
			waiting <- m
		}
	}
}

// splitNul splits messages, which end with a zero byte.
func splitNul(data []byte, _ bool) (int, []byte, error) {
	for i, c := range data {
		if c == 0 {
			return i + 1, data[:i], nil
		}
	}
	return 0, nil, nil
}

// Send sends a command without waiting for the response.
func (b *Browser) Send(session, method string, params any) (<-chan message, error) {
	raw, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	if params == nil {
		raw = nil
	}
	answer := make(chan message, 1)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.nextID++
	b.waiting[b.nextID] = answer
	body, err := json.Marshal(message{ID: b.nextID, Session: session, Method: method, Params: raw})
	if err != nil {
		return nil, err
	}
	_, err = b.in.Write(append(body, 0))
	return answer, err
}

// Call sends a command to a target, or to the browser if session is empty, and decodes the result into result, which may
// be nil.
func (b *Browser) Call(ctx context.Context, session, method string, params, result any) error {
	answer, err := b.Send(session, method, params)
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	select {
	case m := <-answer:
		switch {
		case m.Error != nil:
			return fmt.Errorf("%s: %s", method, m.Error.Message)
		case result != nil:
			return json.Unmarshal(m.Result, result)
		}
		return nil
	case <-b.ended:
		return errors.New("the browser has exited")
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", method, ctx.Err())
	}
}

// Close ends the browser, and deletes its profile.
func (b *Browser) Close() {
	_, _ = b.Send("", "Browser.close", nil)
	hung := time.AfterFunc(5*time.Second, b.stop)
	_ = b.cmd.Wait()
	hung.Stop()
	b.stop()
	_ = b.in.Close()
	<-b.ended
	for range 20 { // its processes may still write for a moment
		if os.RemoveAll(b.dir) == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}
