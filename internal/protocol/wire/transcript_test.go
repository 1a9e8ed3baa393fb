package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTranscriptFileRoundTrip(t *testing.T) {
	var file bytes.Buffer
	log := NewTranscript(&TranscriptOptions{Out: &file})
	sent := []Frame{
		{From: Client, Stream: "stdio", Body: []byte(`{"a":1.0,"a":"<b>&\u2028\ud800"}`)},
		{From: Server, Stream: "stdio", Body: []byte("\x00\xff\xfe raw\r")},
		{From: Server, Stream: "stdio", Body: []byte{}},
		{From: Server, Stream: "get-1", Body: []byte("€ \U0001F600\u2028\n\t")},
		{From: Server, Stream: "post-1", Status: 200, Header: http.Header{"X": {"a", "b"}},
			Event: &Event{ID: "", HasID: true, Name: "message", Retry: 1500 * time.Millisecond}, Body: []byte("x")},
		{From: Server, Stream: "post-2", Status: 404, Fault: FaultCut, Err: errors.New("gone")},
		{From: Server, Stream: "post-3", Event: &Event{}},
	}
	for i := range sent {
		sent[i] = log.Record(sent[i])
	}
	file.WriteString("\n") // a blank line at the end hurts nobody
	var got []Frame
	if err := ReadTranscript(&file, func(f Frame) error { got = append(got, f); return nil }); err != nil {
		t.Fatal(err)
	}
	texts := cmp.Comparer(func(a, b error) bool { return fmt.Sprint(a) == fmt.Sprint(b) })
	if diff := cmp.Diff(sent, got, texts); diff != "" {
		t.Errorf("read back (-sent +got):\n%s", diff)
	}
}

func TestTranscriptRedactsTheFileAlone(t *testing.T) {
	var file bytes.Buffer
	log := NewTranscript(&TranscriptOptions{Out: &file, Redact: func(h http.Header) http.Header {
		h = h.Clone()
		h.Set("Authorization", "«hidden»")
		return h
	}})
	log.Record(Frame{From: Client, Header: http.Header{"Authorization": {"Bearer canary"}}})
	if strings.Contains(file.String(), "canary") || !strings.Contains(file.String(), "«hidden»") {
		t.Errorf("the file says %s", file.String())
	}
	if f, _ := log.Frame(1); f.Header.Get("Authorization") != "Bearer canary" {
		t.Errorf("memory says %v", f.Header)
	}
}

func TestTranscriptKeepsWithinItsBounds(t *testing.T) {
	log := NewTranscript(&TranscriptOptions{KeepFrames: 100, KeepBytes: 1000})
	for i := range 5000 {
		log.Record(Frame{From: Server, Body: bytes.Repeat([]byte{'x'}, i%50)})
		kept := log.Since(0)
		size := 0
		for _, f := range kept {
			size += len(f.Body)
		}
		if len(kept) > 100 || size > 1000 {
			t.Fatalf("after %d: %d frames, %d bytes; want at most 100 and 1000", i, len(kept), size)
		}
		if last := kept[len(kept)-1]; last.Seq != i+1 {
			t.Fatalf("the last frame is %d, want %d", last.Seq, i+1)
		}
		if cap(log.frames) > 1000 {
			t.Fatalf("the ring has grown to %d", cap(log.frames))
		}
	}
	if f, ok := log.Frame(4999); !ok || f.Seq != 4999 {
		t.Errorf("Frame(4999) = %d, %v", f.Seq, ok)
	}
	if _, ok := log.Frame(1); ok {
		t.Error("Frame(1) is still there")
	}
	if _, ok := log.Frame(5001); ok || log.Len() != 5000 {
		t.Errorf("Frame(5001) is there, or Len() = %d", log.Len())
	}
}

func TestTranscriptNumbersInOrder(t *testing.T) {
	var seen []int
	log := NewTranscript(&TranscriptOptions{OnFrame: func(f Frame) { seen = append(seen, f.Seq) }})
	var work sync.WaitGroup
	for range 8 {
		work.Go(func() {
			for range 100 {
				log.Record(Frame{From: Client})
			}
		})
	}
	work.Wait()
	for i, seq := range seen {
		if seq != i+1 {
			t.Fatalf("frame %d has number %d", i+1, seq)
		}
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space") }

func TestTranscriptOutlivesItsFile(t *testing.T) {
	log := NewTranscript(&TranscriptOptions{Out: fullDisk{}})
	log.Record(Frame{From: Client})
	log.Record(Frame{From: Client})
	if err := log.Err(); err == nil || !strings.Contains(err.Error(), "no space") || log.Len() != 2 {
		t.Errorf("Err() = %v, Len() = %d", err, log.Len())
	}
}

func TestNilTranscript(t *testing.T) {
	var log *Transcript
	if f := log.Record(Frame{From: Client}); f.Time.IsZero() || log.Len() != 0 || log.Since(0) != nil ||
		log.Err() != nil {
		t.Error("the nil transcript records something")
	}
}

func FuzzReadTranscript(f *testing.F) {
	f.Add([]byte(`{"seq":1,"time":"2026-01-01T00:00:00Z","from":"client","body":"x"}` + "\n"))
	f.Add([]byte(`{"seq":2,"from":"server","body64":"/w==","event":{"id":""},"header":{"A":["b"]}}`))
	f.Add([]byte("\n{\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		var first []Frame
		if ReadTranscript(bytes.NewReader(in), func(f Frame) error { first = append(first, f); return nil }) != nil {
			return
		}
		var again bytes.Buffer
		log := NewTranscript(&TranscriptOptions{Out: &again})
		for _, f := range first {
			log.Record(f)
		}
		if err := log.Err(); err != nil {
			return // a year that JSON has no time for
		}
		i := 0
		err := ReadTranscript(&again, func(f Frame) error {
			if !bytes.Equal(f.Body, first[i].Body) {
				t.Fatalf("body %q, want %q", f.Body, first[i].Body)
			}
			i++
			return nil
		})
		if err != nil || i != len(first) {
			t.Fatalf("%d frames of %d come back: %v", i, len(first), err)
		}
	})
}

// Frames of two connections that are recorded together are told apart, in memory, in branches and in a file; a file of
// an older version has no numbers.
func TestTranscriptNumbersConnections(t *testing.T) {
	var file bytes.Buffer
	log := NewTranscript(&TranscriptOptions{Out: &file})
	echo := func(ctx context.Context, in io.Reader, out io.Writer) error { _, err := io.Copy(out, in); return err }
	for _, into := range []*Transcript{log, log.Branch("b", nil)} {
		conn, err := Dial(t.Context(), Target{Serve: echo}, into)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Send(t.Context(), Frame{Body: []byte(`{"id":1}`)}); err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Recv(t.Context()); err != nil {
			t.Fatal(err)
		}
		_ = conn.Close()
	}
	var got []string
	each := func(f Frame) error { got = append(got, fmt.Sprint(f.Conn, " ", f.From, " ", f.Stream)); return nil }
	if err := ReadTranscript(&file, each); err != nil {
		t.Fatal(err)
	}
	want := "1 client stdio, 1 server stdio, 2 client b/stdio, 2 server b/stdio"
	if strings.Join(got, ", ") != want {
		t.Errorf("the file has %v, want %s", got, want)
	}
	got = nil
	old := `{"seq":1,"time":"2026-01-02T03:04:05Z","from":"client","stream":"stdio-probe","body":"{}"}` + "\n"
	if err := ReadTranscript(strings.NewReader(old), each); err != nil ||
		strings.Join(got, ", ") != "0 client stdio-probe" {
		t.Errorf("the old file has %v (%v)", got, err)
	}
}
