package conform

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/mcptest-dev/mcptest/internal/netguard"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// maxBody is how much of an HTTP response body is read.
const maxBody = 32 << 20

// An HTTPExchange is one HTTP exchange outside of any session.
type HTTPExchange struct {
	Sent, Got wire.Frame // as they were recorded
	Status    int
	Header    http.Header
	Body      []byte        // of a response that is not a stream
	Messages  []mcp.Message // the messages in the body, or in the events up to the response
	Raw       []byte        // of a stream: the bytes up to there
	Stream    bool          // the response is an SSE stream
	Events    []string      // of a stream: the event IDs
	Ended     bool          // of a stream: it ended after the response; see Fetch.Ending
	Private   bool          // it has secrets, and must not be shown
	Address   string        // the URL, if not that of the target
	// how the request headers differ from those of a regular client; an empty list means that the header is missing
	Changed http.Header
}

// Reply returns the response among the messages; nil if there is none.
func (a *HTTPExchange) Reply() *mcp.Message {
	for i := range a.Messages {
		if a.Messages[i].IsResponse() {
			return &a.Messages[i]
		}
	}
	return nil
}

// Type returns the media type of the response.
func (a *HTTPExchange) Type() string {
	kind, _, _ := mime.ParseMediaType(a.Header.Get("Content-Type"))
	return kind
}

// A httpRecorder makes HTTP exchanges for one check and records them.
type httpRecorder struct {
	client  *http.Client
	foreign *http.Client // for addresses that documents of the server name
	log     *wire.Transcript
	count   atomic.Int64 // a check may make two exchanges at a time
}

func (w *httpRecorder) close() {
	if w != nil {
		w.client.CloseIdleConnections()
		w.foreign.CloseIdleConnections()
	}
}

// foreignClient returns the client for addresses that documents of the server name: a public server must not reach the
// user's machine or network through us. A dialer that the target brings has its own rules.
func foreignClient(t wire.Target) *http.Client {
	if t.DialContext == nil {
		t.DialContext = netguard.Dialer(&netguard.DialOptions{AllowPrivate: Local(t.URL)}).DialContext
	}
	return t.HTTPClient()
}

// isForeign reports whether an address is not on the server itself.
func isForeign(u *url.URL, t wire.Target) bool {
	own, err := url.Parse(t.URL)
	return err != nil || !strings.EqualFold(own.Scheme+"://"+own.Host, u.Scheme+"://"+u.Host)
}

// A Fetch is an HTTP request to make.
type Fetch struct {
	Method    string      // POST if empty
	URL       string      // the target's if empty
	Header    http.Header // exactly these, in addition to those of the target; Host sets the host
	Body      string
	Anonymous bool // omit the headers of the target
	Open      bool // read only the head of a stream
	Follow    bool // with [Options.Auth]: follow redirects within the origin
	Private   bool // it has secrets, and is not recorded
	Again     bool // the content was sent before, and is not evidence for other checks
	Broken    bool // of a stream, read only the first event with an ID, then close the connection

	Ending time.Duration // of a stream, wait that long for its end after the response
	Quiet  time.Duration // of a stream, read on after the response, until nothing has arrived for that long

	Spelling func(name string) string // how header names are spelled; nil for the usual spelling
}

// Fetch makes an HTTP request and reads the response: a stream up to the response in it, or until the timeout. Where the server
// allows one session at a time, initialize ends the others.
func (p *CheckContext) Fetch(ctx context.Context, f Fetch) (*HTTPExchange, error) {
	if mcp.Read(frameOf(f.Body)).Method == "initialize" {
		p.endOthers(nil)
	} else if p.round.processes.wasEnded(f.Header.Get("Mcp-Session-Id")) {
		p.crowded.Store(true)
	}
	a, err := p.fetch(ctx, f)
	if err == nil {
		p.noteVisit(a.Header)
	}
	return a, err
}

// fetch makes an HTTP request, whatever sessions there are.
func (p *CheckContext) fetch(ctx context.Context, f Fetch) (*HTTPExchange, error) {
	m := mcp.Read(frameOf(f.Body))
	if err := p.countCall(m.Method, m.Params); err != nil {
		return nil, err
	}
	if p.recorder == nil {
		name := "http-" + p.Check.ID
		log := p.round.opts.Log.Branch(name, func(f wire.Frame) { p.round.validator.record(name, p.Revision.ID, f) })
		p.recorder = &httpRecorder{client: p.Target.HTTPClient(), foreign: foreignClient(p.Target), log: log}
	}
	ctx, cancel := context.WithTimeout(ctx, p.Timeout())
	defer cancel()
	req, err := p.newRequest(ctx, f)
	if err != nil {
		return nil, err
	}
	log := p.recorder.log
	if f.Again {
		log = p.round.opts.Log.Branch("http-"+p.Check.ID+"-again", nil)
	}
	if f.Private {
		log = wire.NewTranscript(nil)
	}
	stream := fmt.Sprintf("%s-%d", req.Method, p.recorder.count.Add(1))
	a := &HTTPExchange{Private: f.Private, Sent: log.Record(wire.Frame{From: wire.Client, Stream: stream, Header: req.Header,
		Body: []byte(f.Body)})}
	client := p.recorder.client
	switch c := p.round.paced; {
	case c != nil:
		client = c.client(f.Follow)
	case isForeign(req.URL, p.Target):
		client = p.recorder.foreign
	}
	resp, err := client.Do(req)
	if errors.Is(err, errRequestLimit) {
		return nil, p.Skip("%v", errRequestLimit)
	}
	if err != nil {
		return nil, &wire.Error{Target: p.Target.String(), Doing: "talk to",
			Err: fmt.Errorf("%s %s: %w", req.Method, req.URL.Path, cause(ctx, err))}
	}
	defer resp.Body.Close()
	a.Status, a.Header = resp.StatusCode, resp.Header
	a.Got = wire.Frame{From: wire.Server, Stream: stream, Status: resp.StatusCode, Header: resp.Header}
	if a.Type() == "text/event-stream" && resp.StatusCode/100 == 2 {
		a.Stream = true
		a.readEvents(resp.Body, log, f)
		return a, nil
	}
	a.Body, _ = io.ReadAll(io.LimitReader(resp.Body, maxBody))
	a.Got.Body = a.Body
	a.Got = log.Record(a.Got)
	if m := mcp.Read(a.Got); len(a.Body) > 0 && (m.IsResponse() || m.IsRequest() || m.IsNotification()) {
		a.Messages = []mcp.Message{m}
	}
	return a, nil
}

func cause(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

func (p *CheckContext) newRequest(ctx context.Context, f Fetch) (*http.Request, error) {
	method, address := f.Method, f.URL
	if method == "" {
		method = http.MethodPost
	}
	if address == "" {
		address = p.Target.URL
	}
	req, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader([]byte(f.Body)))
	if err != nil {
		return nil, err
	}
	own := p.Target.Header
	if f.Anonymous {
		own = nil
	}
	for _, h := range []http.Header{own, f.Header} {
		for name, values := range h {
			req.Header[http.CanonicalHeaderKey(name)] = append([]string(nil), values...)
		}
	}
	if host := req.Header.Get("Host"); host != "" {
		req.Host = host
		req.Header.Del("Host")
	}
	if f.Spelling != nil {
		req.Header = spelled(req.Header, f.Spelling)
	}
	return req, nil
}

// spelled returns the headers with their names spelled differently.
func spelled(h http.Header, how func(string) string) http.Header {
	other := http.Header{}
	for name, values := range h {
		other[how(name)] = values
	}
	return other
}

// readEvents reads a stream up to the last response in it, its end, or the timeout; see Fetch.Quiet.
func (a *HTTPExchange) readEvents(body io.ReadCloser, log *wire.Transcript, f Fetch) {
	if f.Open {
		a.Got = log.Record(a.Got)
		return
	}
	var raw bytes.Buffer
	next := wire.Events(io.TeeReader(io.LimitReader(body, maxBody), &raw))
	first, waiting := a.Got, 1+len(mcp.Read(a.Sent).Rest) // a batch has a response to each of its requests
	var silence *time.Timer
	if f.Quiet > 0 {
		silence = time.AfterFunc(f.Quiet, func() { _ = body.Close() })
		defer silence.Stop()
	}
	for {
		got, err := next()
		if err != nil {
			break
		}
		if silence != nil {
			silence.Reset(f.Quiet)
		}
		got.From, got.Stream = wire.Server, first.Stream
		if a.Got.Seq == 0 {
			got.Status, got.Header = first.Status, first.Header
		}
		a.Got = log.Record(got)
		if got.Event != nil && got.Event.HasID {
			a.Events = append(a.Events, got.Event.ID)
		}
		if len(got.Body) > 0 {
			m := mcp.Read(a.Got)
			a.Messages = append(a.Messages, m)
			if m.IsResponse() {
				waiting -= 1 + len(m.Rest)
			}
		}
		if waiting <= 0 && f.Quiet == 0 || f.Broken && len(a.Events) > 0 {
			break
		}
	}
	if a.Got.Seq == 0 {
		a.Got = log.Record(first)
	}
	a.Raw = raw.Bytes()
	if f.Ending > 0 && waiting <= 0 {
		a.Ended = ends(body, f.Ending)
	}
}

// ends reports whether a stream ends in time.
func ends(body io.ReadCloser, within time.Duration) bool {
	stop := time.AfterFunc(within, func() { _ = body.Close() })
	_, err := io.Copy(io.Discard, io.LimitReader(body, maxBody))
	return stop.Stop() && err == nil // the timeout of the request may be over first
}
