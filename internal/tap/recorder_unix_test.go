//go:build unix

package tap

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/redact"
)

// A recording says who the client and the server are, which response belongs to which request, and what the
// server wrote to stderr; it contains no secrets.
func TestRecording(t *testing.T) {
	r := newRecorder(Options{Dir: t.TempDir(), Command: []string{"server", "--token", "correct horse battery"},
		Secrets: redact.New("correct horse battery")})
	r.start()
	client := &stream{from: wire.Client, name: "stdio", conn: 1}
	server := &stream{from: wire.Server, name: "stdio", conn: 1}
	stderr := &stream{from: wire.Server, name: wire.StderrStream, conn: 1, stderr: true}
	put := func(s *stream, text string) { r.queue.put(item{stream: s, at: time.Now(), data: []byte(text)}) }
	put(client, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",`)
	put(client, `"capabilities":{"roots":{}},"clientInfo":{"name":"probe","version":"2"}}}`+"\n")
	put(stderr, "\x1b[31mpassword=hunter2\x1b[0m\n")
	put(server, `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},`+
		`"serverInfo":{"name":"s","version":"3"}}}`+"\n")
	put(client, `{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"arguments":{"x":"correct horse battery",`+
		`"n":1.0}}}`+"\n")
	put(server, `{"jsonrpc":"2.0","id":"a","result":{"isError":true,"content":[]}}`+"\n"+
		`{"jsonrpc":"2.0","id":7,"method":"roots/list"}`+"\n")
	r.end(&Exit{Code: 3}, time.Minute)
	s, frames := recorded(t, filepath.Dir(r.sink.path))
	if len(s.Clients) != 1 || s.Clients[0].Name != "probe" || s.Clients[0].Version != "2" ||
		string(s.Clients[0].Capabilities) != `{"roots":{}}` {
		t.Errorf("clients %+v", s.Clients)
	}
	if s.Server == nil || s.Server.Name != "s" || s.Exit == nil || s.Exit.Code != 3 || s.Frames != 5 ||
		s.Requests != 3 || s.Errors != 1 || s.Pending != 1 {
		t.Errorf("session %+v", s)
	}
	if got := strings.Join(s.Command, " "); got != "server --token "+redact.Placeholder {
		t.Errorf("command %q", got)
	}
	var replies []string
	for _, f := range frames {
		replies = append(replies, fmt.Sprintf("%d-%d", f.Seq, f.Reply))
	}
	if got := strings.Join(replies, " "); got != "1-0 0-0 2-1 3-0 4-3 5-0" {
		t.Errorf("frames and the requests that they answer: %s", got)
	}
	if got := string(frames[1].Body); got != "password="+redact.Placeholder {
		t.Errorf("stderr line %q", got)
	}
	if got := string(frames[3].Body); !strings.Contains(got, `{"x":"`+redact.Placeholder+`","n":1.0}`) {
		t.Errorf("body %s", got)
	}
}

// A disk that blocks delays no traffic. What the queue cannot hold is lost, and noted where it is missing.
func TestBlockedDisk(t *testing.T) {
	r := newRecorder(Options{Dir: t.TempDir()})
	r.queue.limit = 1 << 20
	if err := syscall.Mkfifo(r.sink.path, 0o600); err != nil {
		t.Fatal(err)
	}
	r.start()
	fromClient, client := io.Pipe()
	toServer, server, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	message := `{"jsonrpc":"2.0","method":"m","params":"` + strings.Repeat("x", 1000) + `"}` + "\n"
	const count = 10_000
	go func() {
		for range count {
			_, _ = io.WriteString(client, message)
		}
		_ = client.Close()
	}()
	relayed := &relay{queue: r.queue}
	go func() {
		relayed.pass(&stream{from: wire.Client, name: "stdio", conn: 1}, fromClient, server)
		_ = server.Close()
	}()
	got, err := io.ReadAll(toServer)
	if err != nil || string(got) != strings.Repeat(message, count) {
		t.Fatalf("%d bytes arrived (%v), want %d", len(got), err, count*len(message))
	}
	disk, err := os.Open(r.sink.path) // from now on the disk works
	if err != nil {
		t.Fatal(err)
	}
	frames := make(chan []wire.Frame)
	go func() {
		var all []wire.Frame
		_ = wire.ReadTranscript(disk, func(f wire.Frame) error { all = append(all, f); return nil })
		frames <- all
	}()
	r.end(nil, time.Minute)
	all := <-frames
	if len(all) == 0 || len(all) >= count {
		t.Fatalf("%d frames recorded, want some of %d", len(all), count)
	}
	if last := all[len(all)-1]; !strings.Contains(last.Fault, "are not recorded: recording was too slow") {
		t.Errorf("the last frame has the fault %q", last.Fault)
	}
	s, err := Find(filepath.Dir(r.sink.path), "")
	if err != nil || s.Lost == nil || s.Lost.Bytes == 0 {
		t.Errorf("session %+v, %v, want the lost bytes", s, err)
	}
}

// Redaction leaves the JSON of a message valid.
func TestRedactedBodyIsJSON(t *testing.T) {
	for _, body := range []string{
		`{"a":"password: x","token":"abcdefgh","nested":"{\"secret\":\"s3cr3tvalue\"}"}`,
		`{"url":"https://user:pass@host.example/?token=abcdef#x","k":"--api-key abcdefgh"}`,
		`{"key":"-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----\n","b":1}`,
		`{"k":"Authorization: Bearer abcdefghijklmnop","z":[1.0]}`,
	} {
		got := redacted(redact.New(), []byte(body))
		if !json.Valid(got) || string(got) == body {
			t.Errorf("%s became %s", body, got)
		}
	}
}

// Recordings over the limits of age and size are deleted, the oldest first; running ones stay.
func TestPrune(t *testing.T) {
	dir := t.TempDir()
	add := func(id string, age time.Duration, size int64, pid int) {
		started, ended := time.Now().Add(-age), time.Now()
		s := &Session{ID: id, PID: pid, Started: started, Ended: &ended}
		if pid != 0 {
			s.Ended = nil
		}
		meta := metaFile{path: filepath.Join(dir, id+sessionSuffix)}
		meta.write(s)
		meta.close()
		file, err := os.Create(FramesFile(dir, id))
		if err != nil {
			t.Fatal(err)
		}
		_ = file.Truncate(size)
		_ = file.Close()
	}
	add("new", time.Minute, MaxBytes/2, 0)
	add("running", 40*24*time.Hour, 1000, os.Getpid())
	add("middle", time.Hour, MaxBytes/4, 0)
	add("large", 2*time.Hour, MaxBytes/2, 0)
	add("old", 31*24*time.Hour, 10, 0)
	prune(dir, "own")
	var left []string
	all, err := List(dir)
	for _, s := range all {
		left = append(left, s.ID)
	}
	if got := strings.Join(left, " "); got != "new middle running" || err != nil {
		t.Errorf("left: %s (%v), want new middle running", got, err)
	}
}

// What cannot be recorded before the session ends is counted as lost: a recording that is not complete says so.
func TestRecordingStopsInTime(t *testing.T) {
	r := newRecorder(Options{Dir: t.TempDir()})
	client := &stream{from: wire.Client, name: "stdio", conn: 1}
	for range 2 {
		r.queue.put(item{stream: client, at: time.Now(), data: []byte(`{"jsonrpc":"2.0","method":"m"}` + "\n")})
	}
	r.queue.put(item{end: true, exit: &Exit{Code: 3}})
	r.queue.close()
	r.stopAt.Store(1)
	r.run()
	s, err := Find(filepath.Dir(r.sink.path), "")
	if err != nil {
		t.Fatal(err)
	}
	if s.Frames != 0 || s.Lost == nil || s.Lost.Bytes != 62 || s.Lost.Reason != tooSlow || s.Exit == nil ||
		s.Ended == nil {
		t.Errorf("%+v; want a loss of both messages", s)
	}
}
