package wire

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
)

// readLines reads all frames of a stream and the error at its end.
func readLines(r io.Reader, limit int) ([]Frame, error) {
	var frames []Frame
	for lines := newLineReader(r, limit); ; {
		f, err := lines.next()
		if err != nil {
			return frames, err
		}
		frames = append(frames, f)
	}
}

func TestLines(t *testing.T) {
	long := strings.Repeat("y", 200_000)
	for _, tt := range []struct {
		name, in string
		limit    int
		want     []string // bodies, with "!" before those that have a fault
	}{
		{"none", "", 10, nil},
		{"one", "a\n", 10, []string{"a"}},
		{"blank", "\n\na\n", 10, []string{"", "", "a"}},
		{"crlf", "a\r\nb\r\n", 10, []string{"a\r", "b\r"}},
		{"no newline", "a\nb", 10, []string{"a", "!b"}},
		{"binary", "\x00\xff\xfe\n", 10, []string{"\x00\xff\xfe"}},
		{"at the limit", "0123456789\nb\n", 10, []string{"0123456789", "b"}},
		{"over the limit by one", "0123456789X\nb\n", 10, []string{"!0123456789", "b"}},
		{"over the limit at the end", "0123456789X", 10, []string{"!0123456789"}},
		{"longer than the buffer", long + "\nb\n", 1 << 20, []string{long, "b"}},
		{"skipped", long + "\nb\n", 100_000, []string{"!" + long[:cutKeep], "b"}},
		{"skipped to the end", long, 100_000, []string{"!" + long[:cutKeep]}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for name, r := range map[string]io.Reader{"whole": strings.NewReader(tt.in),
				"dripping": iotest.OneByteReader(strings.NewReader(tt.in))} {
				frames, err := readLines(r, tt.limit)
				var got []string
				for _, f := range frames {
					if f.Fault != "" {
						f.Body = append([]byte("!"), f.Body...)
					}
					got = append(got, string(f.Body))
				}
				if err != io.EOF || strings.Join(got, "|") != strings.Join(tt.want, "|") {
					t.Errorf("%s: %.80q, %v; want %.80q, EOF", name, got, err, tt.want)
				}
			}
		})
	}
}

func TestLineOverTheLimitIsALimitError(t *testing.T) {
	frames, _ := readLines(strings.NewReader("0123456789X\n"), 10)
	var limit *LimitError
	if len(frames) != 1 || !errors.As(frames[0].Err, &limit) || limit.Limit != 10 {
		t.Errorf("frames %+v, want one with a LimitError of 10", frames)
	}
}

// TestB6 bounds the memory that a long line takes.
func TestB6LongLineMemory(t *testing.T) {
	const size = 10 << 20
	in := append(bytes.Repeat([]byte{'z'}, size), '\n')
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	frames, _ := readLines(bytes.NewReader(in), DefaultMaxFrame)
	runtime.ReadMemStats(&after)
	if len(frames) != 1 || len(frames[0].Body) != size {
		t.Fatalf("%d frames", len(frames))
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 7*size {
		// all that was ever allocated; at any time it is less than half
		t.Errorf("10 MiB took %d MiB of allocations", took>>20)
	}
}

func FuzzLines(f *testing.F) {
	for _, seed := range []string{"", "a", "a\n", "\n\n", "{\"a\":1}\r\n\xff", strings.Repeat("x", 70)} {
		f.Add([]byte(seed), 16)
	}
	f.Fuzz(func(t *testing.T, in []byte, limit int) {
		limit = 1 + limit&0xffff
		frames, err := readLines(bytes.NewReader(in), limit)
		if err != io.EOF {
			t.Fatalf("ended with %v", err)
		}
		var whole []byte
		for i, f := range frames {
			if len(f.Body) > limit {
				t.Fatalf("frame of %d bytes over the limit %d", len(f.Body), limit)
			}
			if f.Err != nil {
				return // not all of it was kept
			}
			whole = append(whole, f.Body...)
			if f.Fault == "" {
				whole = append(whole, '\n')
			} else if i != len(frames)-1 {
				t.Fatalf("frame %d of %d was cut: %q", i, len(frames), f.Body)
			}
		}
		if !bytes.Equal(whole, in) {
			t.Fatalf("frames make %q, want %q", whole, in)
		}
	})
}
