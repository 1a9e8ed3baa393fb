package wire

import (
	"bytes"
	"strings"
	"testing"
)

// Lines of standard error stand between the frames of a file, without a number, in the look that others may see.
func TestStandardErrorIsRecordedBesideTheFrames(t *testing.T) {
	var file bytes.Buffer
	var told []Frame
	log := NewTranscript(&TranscriptOptions{Out: &file, Stderr: strings.ToUpper,
		OnFrame: func(f Frame) { told = append(told, f) }})
	log.Record(Frame{From: Client, Stream: "stdio", Body: []byte(`{}`)})
	written := stderrRecorder{log: log}
	for _, p := range []string{"one\r\ntw", "o\n\n", "three " + strings.Repeat("x", 2*maxStderrLine)} {
		written.record([]byte(p))
	}
	written.end()
	written.end()
	other := stderrRecorder{log: log.Branch("again", nil)}
	other.record([]byte("four\n"))
	log.Record(Frame{From: Server, Stream: "stdio", Body: []byte(`{}`)})

	var got []string
	err := ReadTranscript(&file, func(f Frame) error {
		if IsStderr(f) != (f.Seq == 0) || f.Time.IsZero() {
			t.Errorf("frame %d on %s: standard error %v", f.Seq, f.Stream, IsStderr(f))
		}
		got = append(got, f.Stream+" "+string(f.Body))
		return nil
	})
	long := ("THREE " + strings.Repeat("X", 2*maxStderrLine))[:maxStderrLine]
	want := []string{"stdio {}", "stderr ONE", "stderr TWO", "stderr ", "stderr " + long, "again/stderr FOUR",
		"stdio {}"}
	if err != nil || strings.Join(got, "\n") != strings.Join(want, "\n") || len(told) != len(want) || log.Len() != 2 {
		t.Errorf("%v, told %d, numbered %d, read %.300q\nwant %.300q", err, len(told), log.Len(), got, want)
	}
}

// A secret is seen as one although the line is cut in the middle of it.
func TestSecretWhereALineIsCut(t *testing.T) {
	const secret = "hunter2-hunter2"
	var file bytes.Buffer
	log := NewTranscript(&TranscriptOptions{Out: &file,
		Stderr: func(s string) string { return strings.ReplaceAll(s, secret, "[gone]") }})
	written := stderrRecorder{log: log}
	written.record([]byte(strings.Repeat("x", maxStderrLine-len(secret)/2) + secret + " and more\n"))
	if got := file.String(); strings.Contains(got, "hunter") || !strings.Contains(got, "x[gone]") {
		t.Errorf("…%s", got[max(0, len(got)-100):])
	}
}

func TestStandardErrorThatNeverEnds(t *testing.T) {
	n := 0
	log := NewTranscript(&TranscriptOptions{Stderr: func(s string) string { n++; return s }})
	endless := stderrRecorder{log: log}
	for range 2 * maxAsides {
		endless.record([]byte("again\n"))
	}
	if n != maxAsides+1 {
		t.Errorf("%d lines were recorded, want %d and a remark", n, maxAsides)
	}
	unheard := stderrRecorder{log: NewTranscript(nil)}
	unheard.record([]byte("x\n"))
	nobody := stderrRecorder{}
	nobody.record([]byte("x\n"))
}
