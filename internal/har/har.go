// Package har writes transcripts as HTTP archives and reads them again.
package har

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// Archive returns frames as an HTTP Archive. An HTTP exchange is an entry; over pipes a request with its
// response is one, and so is each single message.
func Archive(frames []wire.Frame, address, version string) ([]byte, error) {
	a := &archiver{address: address, byKey: map[string]*harEntry{}, bySeq: map[int]*harEntry{}, pairs: NewPairing()}
	for _, f := range frames {
		a.add(f)
	}
	entries := a.entries
	if entries == nil {
		entries = []*harEntry{}
	}
	return json.MarshalIndent(map[string]any{"log": map[string]any{
		"version": "1.2", "creator": map[string]string{"name": "mcptest", "version": version}, "entries": entries,
	}}, "", " ")
}

type harEntry struct {
	Started  time.Time   `json:"startedDateTime"`
	Time     float64     `json:"time"`
	Request  harRequest  `json:"request"`
	Response harResponse `json:"response"`
	Cache    struct{}    `json:"cache"`
	Timings  harTimings  `json:"timings"`
	Conn     int         `json:"_connection,omitempty"` // see wire.Frame; the field without _ means a TCP connection
	Frames   []int       `json:"_frames"`
	Comment  string      `json:"comment,omitempty"`
}

type harRequest struct {
	Method      string    `json:"method"`
	URL         string    `json:"url"`
	HTTPVersion string    `json:"httpVersion"`
	Cookies     []harPair `json:"cookies"`
	Headers     []harPair `json:"headers"`
	QueryString []harPair `json:"queryString"`
	PostData    *harPost  `json:"postData,omitempty"`
	HeadersSize int       `json:"headersSize"`
	BodySize    int       `json:"bodySize"`
}

type harResponse struct {
	Status      int        `json:"status"`
	StatusText  string     `json:"statusText"`
	HTTPVersion string     `json:"httpVersion"`
	Cookies     []harPair  `json:"cookies"`
	Headers     []harPair  `json:"headers"`
	Content     harContent `json:"content"`
	RedirectURL string     `json:"redirectURL"`
	HeadersSize int        `json:"headersSize"`
	BodySize    int        `json:"bodySize"`
}

type harPair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type harPost struct {
	MimeType string `json:"mimeType"`
	Text     string `json:"text"`
}

type harContent struct {
	Size     int    `json:"size"`
	MimeType string `json:"mimeType"`
	Text     string `json:"text,omitempty"`
	Encoding string `json:"encoding,omitempty"`
}

type harTimings struct {
	Send    float64 `json:"send"`
	Wait    float64 `json:"wait"`
	Receive float64 `json:"receive"`
}

type archiver struct {
	address string
	entries []*harEntry
	byKey   map[string]*harEntry // by connection and stream of an HTTP exchange, or by the time of stderr lines
	bySeq   map[int]*harEntry    // over pipes, by the frame of the request
	pairs   *Pairing
}

func (a *archiver) add(f wire.Frame) {
	if wire.IsStderr(f) {
		a.write(f)
		return
	}
	e := a.entry(f)
	e.Frames = append(e.Frames, f.Seq)
	if f.From == wire.Client {
		e.Request.Headers, e.Request.BodySize = pairs(f.Header), len(f.Body)
		if len(f.Body) > 0 {
			e.Request.PostData = &harPost{MimeType: "application/json", Text: string(f.Body)}
		}
		return
	}
	e.receive(f)
}

// entry returns the entry that a frame belongs to: that of its HTTP exchange, over pipes that of its request,
// or a new one.
func (a *archiver) entry(f wire.Frame) *harEntry {
	if _, overHTTP := HTTPMethod(f.Stream); overHTTP {
		key := ConnOf(f) + " " + f.Stream
		e := a.byKey[key]
		if e == nil || f.From == wire.Client && len(e.Frames) > 0 {
			e = a.begin(f, true)
			a.byKey[key] = e
		}
		return e
	}
	m := mcp.Read(f)
	if m.IsResponse() && len(m.Rest) == 0 {
		if seq, _ := a.pairs.Answer(m); f.From == wire.Server && a.bySeq[seq] != nil {
			return a.bySeq[seq]
		}
		return a.begin(f, false)
	}
	a.pairs.Note(m)
	e := a.begin(f, false)
	a.bySeq[f.Seq] = e
	return e
}

func (a *archiver) begin(f wire.Frame, overHTTP bool) *harEntry {
	e := &harEntry{Started: f.Time, Conn: f.Conn,
		Request: harRequest{Method: "POST", URL: a.address, HTTPVersion: "HTTP/1.1"}}
	e.Request.Cookies, e.Request.Headers, e.Request.QueryString, e.Request.HeadersSize = []harPair{}, []harPair{},
		[]harPair{}, -1
	e.Response.HTTPVersion, e.Response.Cookies, e.Response.Headers, e.Response.HeadersSize = "HTTP/1.1", []harPair{},
		[]harPair{}, -1
	if method, _ := HTTPMethod(f.Stream); overHTTP {
		e.Request.Method = method
	} else {
		e.Request.Method, e.Request.HTTPVersion, e.Response.HTTPVersion, e.Comment = "MCP", f.Stream, f.Stream,
			"a message over "+f.Stream+", not HTTP"
		if !strings.Contains(a.address, "://") {
			e.Request.URL = "stdio://local"
		}
	}
	a.entries = append(a.entries, e)
	return e
}

// receive adds what the server sent: a body, or one event of a stream.
func (e *harEntry) receive(f wire.Frame) {
	elapsed := float64(f.Time.Sub(e.Started)) / float64(time.Millisecond)
	if e.Time = max(0, elapsed); len(e.Frames) <= 2 {
		e.Timings.Wait = e.Time
	}
	e.Timings.Receive = e.Time - e.Timings.Wait
	if f.Header != nil {
		e.Response.Headers = pairs(f.Header)
		e.Response.Content.MimeType = f.Header.Get("Content-Type")
	}
	if f.Status != 0 {
		e.Response.Status, e.Response.StatusText = f.Status, http.StatusText(f.Status)
	}
	if f.Body == nil {
		return
	}
	content := &e.Response.Content
	if content.MimeType == "" {
		content.MimeType = "application/json"
	}
	text := string(f.Body)
	if f.Event != nil {
		text = "data: " + strings.ReplaceAll(text, "\n", "\ndata: ") + "\n\n"
	}
	if !utf8.ValidString(text) {
		text, content.Encoding = base64.StdEncoding.EncodeToString(f.Body), "base64"
	}
	content.Text += text
	content.Size += len(f.Body)
	e.Response.BodySize = content.Size
}

func pairs(header http.Header) []harPair {
	all := []harPair{}
	for name, values := range header {
		for _, value := range values {
			all = append(all, harPair{name, value})
		}
	}
	slices.SortFunc(all, func(a, b harPair) int { return strings.Compare(a.Name, b.Name) })
	return all
}
