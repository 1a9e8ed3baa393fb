package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/report"
)

// A dialog asks the user questions on a terminal, one at a time. Questions are written to stderr, so that the
// result can be piped.
type dialog struct {
	mu    sync.Mutex
	out   io.Writer
	lines chan string // lines from the user; closed at the end of input
}

// dialog returns the only dialog of this run. Its reader waits for the terminal and ends with the process: a
// blocked read of a terminal cannot be cancelled.
func (a *app) dialog() *dialog {
	a.talkOnce.Do(func() { a.talk = newDialog(a.env.Stdin, a.env.Stderr) })
	return a.talk
}

func newDialog(in io.Reader, out io.Writer) *dialog {
	d := &dialog{out: out, lines: make(chan string)}
	go func() {
		defer close(d.lines)
		lines := bufio.NewScanner(in)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			d.lines <- lines.Text()
		}
	}()
	return d
}

// say writes a line; control characters in text from a server are made visible.
func (d *dialog) say(format string, args ...any) {
	fmt.Fprintln(d.out, report.Visible(fmt.Sprintf(format, args...)))
}

// quote writes text from a server behind a bar, line by line, so that it cannot imitate our own prompts.
func (d *dialog) quote(text string) {
	for line := range strings.SplitSeq(strings.ReplaceAll(strings.TrimRight(text, "\r\n"), "\r\n", "\n"), "\n") {
		d.say("  │ %s", line)
	}
}

// oneLine keeps text from a server from starting a new line.
func oneLine(text string) string {
	return strings.NewReplacer("\r\n", `\n`, "\n", `\n`).Replace(text)
}

// prompt writes a question and waits for a line.
func (d *dialog) prompt(ctx context.Context, format string, args ...any) (string, error) {
	fmt.Fprint(d.out, report.Visible(fmt.Sprintf(format, args...)), " ")
	select {
	case line, ok := <-d.lines:
		if !ok {
			fmt.Fprintln(d.out) // the cursor is after the question
			return "", io.EOF
		}
		return strings.TrimRight(line, "\r"), nil
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// confirm asks a yes-or-no question; an empty line selects the default.
func (d *dialog) confirm(ctx context.Context, usual bool, question string) (bool, error) {
	offer := " [y/N]"
	if usual {
		offer = " [Y/n]"
	}
	for {
		answer, err := d.prompt(ctx, "%s", question+offer)
		if err != nil {
			return false, err
		}
		switch strings.ToLower(strings.TrimSpace(answer)) {
		case "":
			return usual, nil
		case "y", "yes":
			return true, nil
		case "n", "no":
			return false, nil
		}
		d.say("✗ please answer y or n")
	}
}

// choose asks for one of several words; the first letter is enough.
func (d *dialog) choose(ctx context.Context, question string, words ...string) (string, error) {
	for {
		answer, err := d.prompt(ctx, "%s", question)
		if err != nil {
			return "", err
		}
		answer = strings.ToLower(strings.TrimSpace(answer))
		if i := slices.IndexFunc(words, func(w string) bool { return answer == w || answer == w[:1] }); i >= 0 {
			return words[i], nil
		}
		d.say("✗ please answer %s", strings.Join(words, ", "))
	}
}
