package render

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/chromium"
)

// When a picture is taken: as soon as the view neither loads nor changes, or only moves.
const (
	pause   = 600 * time.Millisecond // between two pictures that must be equal
	moving  = 3                      // pictures without loads in between, after which a change is an animation
	drawing = 2 * time.Second        // for the view to draw before the next picture
	longest = 10 * time.Second
)

// Loads are the requests of the view and its workers.
type loads struct {
	view     string          // session of the view
	inFlight map[string]bool // by session and ID
	events   int
}

// maxInFlight limits the requests that are followed.
const maxInFlight = 1000

// reset forgets the view before.
func (t *tab) reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.errors, t.loads = nil, loads{inFlight: map[string]bool{}}
}

// attached notes the session of the view: its frame is the first one in a process of its own.
func (t *tab) attached(session, kind string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if kind == "iframe" && t.loads.view == "" {
		t.loads.view = session
	}
}

// loading notes an event of a request.
func (t *tab) loading(e chromium.Event) {
	var p struct {
		RequestID, Type string
		Request         struct{ URL string }
	}
	if json.Unmarshal(e.Params, &p) != nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.loads.events++
	id := e.Session + " " + p.RequestID
	switch e.Method {
	case "Network.requestWillBeSent":
		// the end of a document, or of the script of a worker, is an event of another session
		if p.Type != "Document" && strings.HasPrefix(p.Request.URL, "http") && len(t.loads.inFlight) < maxInFlight {
			t.loads.inFlight[id] = true
		}
	case "Network.loadingFinished", "Network.loadingFailed":
		delete(t.loads.inFlight, id)
	}
}

// look returns what the host has seen of the view, and a picture if the scene needs one: a view that draws for seconds
// is finished in it, unless it takes too long.
func (t *tab) look(ctx context.Context, s *scene) (*observation, []byte, error) {
	var before []byte
	events, quiet := -1, 0
	for began := time.Now(); ; {
		got := &observation{scene: s}
		if err := t.eval(ctx, "appCheck.look()", got); err != nil || !s.pictured {
			return got, nil, err
		}
		picture, err := t.picture(ctx, s.width, min(max(got.Height, 240), tallPicture))
		if err != nil {
			return nil, nil, err
		}
		busy, now := t.activity()
		if now += got.Logged; busy || got.Pending > 0 || now != events {
			quiet = -1
		}
		events = now
		quiet++
		if quiet > 0 && bytes.Equal(picture, before) || quiet >= moving || time.Since(began) >= longest {
			got.blank = isBlank(picture)
			return got, picture, nil
		}
		before = picture
		if err := t.pause(ctx); err != nil {
			return nil, nil, err
		}
	}
}

// activity reports whether the view loads something, and how many events of requests there were.
func (t *tab) activity() (busy bool, events int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.loads.inFlight) > 0, t.loads.events
}

// pause waits a moment, and until the view has had the chance to draw three times: on a busy machine this takes longer.
func (t *tab) pause(ctx context.Context) error {
	t.mu.Lock()
	view := t.loads.view
	t.mu.Unlock()
	drawn, cancel := context.WithTimeout(ctx, drawing)
	defer cancel()
	rest := time.After(pause)
	if view != "" {
		_ = t.browser.Call(drawn, view, "Runtime.evaluate", map[string]any{"expression": threeFrames, "awaitPromise": true},
			nil) // a view that does not draw is not waited for
	}
	select {
	case <-rest:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

const threeFrames = `new Promise((done) => { let n = 0; const next = () => ++n > 3 ? done() : requestAnimationFrame(next); next(); })`
