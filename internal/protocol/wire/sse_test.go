package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// readEvents reads all events of a stream, each as text, and the error at its end.
func readEvents(r io.Reader, limit int) (events []string, err error) {
	reader := newEventReader(r, limit)
	for {
		f, err := reader.next()
		if err != nil {
			return events, err
		}
		text := fmt.Sprintf("%q", f.Body)
		if f.Event.Name != "" {
			text += " name=" + f.Event.Name
		}
		if f.Event.HasID {
			text += " id=" + f.Event.ID
		}
		if f.Event.Retry > 0 {
			text += " retry=" + f.Event.Retry.String()
		}
		if f.Fault != "" {
			text += " (" + f.Fault + ")"
		}
		events = append(events, text)
	}
}

// TestD2 reads streams as the HTML standard has them.
func TestD2Events(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"lf", "data: a\n\n", `"a"`},
		{"crlf", "data: a\r\n\r\n", `"a"`},
		{"cr", "data: a\r\r", `"a"`},
		{"mixed", "data: a\r\n\rdata: b\n\r\n", `"a"|"b"`},
		{"bom", "\ufeffdata: a\n\n", `"a"`},
		{"no space", "data:a\n\n", `"a"`},
		{"two spaces", "data:  a\n\n", `" a"`},
		{"no colon", "data\n\n", `""`},
		{"many data", "data: a\ndata\ndata: b\n\n", `"a\n\nb"`},
		{"comments", ": hi\n:\n\ndata: a\n: in between\n\n", `"a"`},
		{"unknown field", "foo: bar\n\ndata: a\nbar\n\n", `"a"`},
		{"name", "event: message\ndata: a\n\n", `"a" name=message`},
		{"id", "id: 7\ndata: a\n\ndata: b\n\n", `"a" id=7|"b"`},
		{"empty id", "id\ndata: a\n\n", `"a" id=`},
		{"id with NUL", "id: a\x00b\ndata: a\n\n", `"a"`},
		{"retry", "retry: 1500\n\n", `"" retry=1.5s`},
		{"retry that is none", "retry: soon\ndata: a\n\nretry: -5\n\n", `"a"|""`},
		{"priming event", "id: 1\ndata:\n\n", `"" id=1`},
		{"colon in data", "data: {\"a\":\"b: c\"}\n\n", `"{\"a\":\"b: c\"}"`},
		{"cut in event", "data: a\n\nid: 2\ndata: b", `"a"|"b" id=2 (` + FaultCut + `)`},
		{"cut before the empty line", "data: b\n", `"b" (` + FaultCut + `)`},
		{"cut in a comment", "data: a\n\n: hel", `"a"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for name, r := range map[string]io.Reader{"whole": strings.NewReader(tt.in),
				"dripping": iotest.OneByteReader(strings.NewReader(tt.in))} {
				events, err := readEvents(r, 1000)
				if got := strings.Join(events, "|"); got != tt.want || err != io.EOF {
					t.Errorf("%s: %s, %v; want %s, EOF", name, got, err, tt.want)
				}
			}
		})
	}
}

// A stream that breaks shows what had come, then why it broke.
func TestD3EventBeforeABreak(t *testing.T) {
	broken := errors.New("reset")
	events, err := readEvents(io.MultiReader(strings.NewReader("data: a\n\ndata: b"), iotest.ErrReader(broken)), 1000)
	if got, want := strings.Join(events, "|"), `"a"|"b" (`+FaultCut+`)`; got != want || err != broken {
		t.Errorf("%s, %v; want %s, %v", got, err, want, broken)
	}
}

// An event is there as soon as its empty line is: the byte after a CR is not waited for.
func TestEventAfterCRIsNotWaitedFor(t *testing.T) {
	r, w := io.Pipe()
	defer r.Close()
	go func() { _, _ = w.Write([]byte("data: a\r\r")) }()
	got := make(chan Frame, 1)
	go func() { f, _ := newEventReader(r, 100).next(); got <- f }()
	select {
	case f := <-got:
		if string(f.Body) != "a" {
			t.Errorf("event %q, want a", f.Body)
		}
	case <-time.After(30 * time.Second):
		t.Error("no event")
	}
}

// TestC5 stops at the limit, to the byte, however the event is made.
func TestC5EventLimit(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		over     bool
	}{
		{"at the limit", "data: 0123456789\n\n", false},
		{"over by one", "data: 0123456789X\n\n", true},
		{"over in two lines", "data: 01234\ndata: 56789\n\n", true},
		{"endless line", "data: " + strings.Repeat("x", 1000), true},
		{"endless data lines", strings.Repeat("data\n", 100), true},
		{"endless comment", ":" + strings.Repeat("x", 1000), true},
		{"many comments", strings.Repeat(": hello\n\n", 100) + "data: a\n\n", false},
		{"many ids", strings.Repeat("id: 1\n", 100) + "\n", false},
	} {
		_, err := readEvents(strings.NewReader(tt.in), 10)
		var limit *LimitError
		if errors.As(err, &limit) != tt.over {
			t.Errorf("%s: %v, want a LimitError: %v", tt.name, err, tt.over)
		}
	}
}

func FuzzEvents(f *testing.F) {
	for _, seed := range []string{"data: a\n\n", "\ufeffid: 1\rretry: 5\r\n\r\ndata",
		":x\n\nevent: e\ndata: \xff\n\n"} {
		f.Add([]byte(seed), 20)
	}
	f.Fuzz(func(t *testing.T, in []byte, limit int) {
		limit = 1 + limit&0xffff
		whole, wholeErr := readEvents(bytes.NewReader(in), limit)
		drip, dripErr := readEvents(iotest.OneByteReader(bytes.NewReader(in)), limit)
		if fmt.Sprint(whole, wholeErr) != fmt.Sprint(drip, dripErr) {
			t.Fatalf("whole %q %v, byte by byte %q %v", whole, wholeErr, drip, dripErr)
		}
	})
}
