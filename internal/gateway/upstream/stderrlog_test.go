package upstream

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func textsOf(lines []StderrLine) (all []string) {
	for _, l := range lines {
		all = append(all, l.Text)
	}
	return all
}

func TestStderrLog(t *testing.T) {
	log := &StderrLog{}
	var running []string
	w := &stderrWriter{log: log, process: "a#1", traces: func() []string { return running }}
	w.write([]byte("start\r\n\npa"))
	running = []string{"t1"}
	w.write([]byte("rt \x1b[31mred\x1b[0m\nduring"))
	running = nil
	w.write([]byte(" t1\nafter"))
	w.end()
	w.end()
	if got := textsOf(log.Lines("", 9)); !slices.Equal(got, []string{"start", "part red", "during t1", "after"}) {
		t.Errorf("lines %q", got)
	}
	if got := textsOf(log.Lines("t1", 9)); !slices.Equal(got, []string{"during t1"}) {
		t.Errorf("lines of the trace %q, want the one that began during it", got)
	}
	if got := textsOf(log.Lines("", 2)); !slices.Equal(got, []string{"during t1", "after"}) {
		t.Errorf("the last two lines are %q", got)
	}
	w.write([]byte(strings.Repeat("x", 3*maxStderrLine) + "\n"))
	if got := log.Lines("", 1)[0]; len(got.Text) != maxStderrLine || got.Process != "a#1" {
		t.Errorf("a line of %d bytes of %s", len(got.Text), got.Process)
	}
}

func TestStderrLogIsBounded(t *testing.T) {
	log := &StderrLog{}
	w := &stderrWriter{log: log, traces: func() []string { return nil }}
	for i := range 2 * maxStderrLines {
		w.write(fmt.Appendf(nil, "%d\n", i))
	}
	if got := log.Lines("", 5000); len(got) != maxStderrLines || got[0].Text != fmt.Sprint(maxStderrLines) {
		t.Errorf("%d lines, the first is %q", len(got), got[0].Text)
	}
	for range 100 {
		w.write([]byte(strings.Repeat("x", maxStderrLine) + "\n"))
	}
	size := 0
	for _, l := range log.Lines("", 5000) {
		size += len(l.Text)
	}
	if size > maxStderrBytes || size < maxStderrBytes-maxStderrLine {
		t.Errorf("%d bytes are kept, want almost %d", size, maxStderrBytes)
	}
}

// Output may be read after the response to the call that caused it.
func TestTracesIncludeCallsThatHaveJustEnded(t *testing.T) {
	var f inFlight
	f.init()
	var all []*inFlightRequest
	for i := range maxTraces + 4 {
		one := &inFlightRequest{owner: 1, request: &Request{Trace: fmt.Sprintf("t%02d", i)}}
		if err := f.enter(t.Context(), one); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	if got := f.traces(); len(got) != maxTraces {
		t.Errorf("%d traces, want %d", len(got), maxTraces)
	}
	for _, one := range all {
		f.remove(one)
	}
	shift := func(d time.Duration) {
		for i := range f.ended {
			f.ended[i].at = f.ended[i].at.Add(d)
		}
	}
	shift(time.Hour) // however long the test takes
	if got := f.traces(); !slices.Equal(got, []string{"t12", "t13", "t14", "t15", "t16", "t17", "t18", "t19"}) {
		t.Errorf("traces %v, want the last ones", got)
	}
	shift(-time.Hour - 2*endedRecently)
	if got := f.traces(); len(got) > 0 {
		t.Errorf("traces %v, want none", got)
	}
}
