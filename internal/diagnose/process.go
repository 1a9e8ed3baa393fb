package diagnose

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// local diagnoses a stdio server.
func (w *walk) local(ctx context.Context) *problem {
	if failed := w.step(ctx, "command", w.command); failed != nil {
		return failed
	}
	return w.session(ctx)
}

// command finds the program on the PATH of the client.
func (w *walk) command(context.Context) (string, *problem) {
	program := w.target.Command[0]
	client := w.out.Client.Name
	if program != "" && len(w.target.Command) == 1 && strings.ContainsAny(program, " \t") && !isFile(program) {
		words := strings.Fields(program)
		return "", because(fmt.Sprintf(`write "command": %q, "args": [%s]`, words[0], quoted(words[1:])),
			"the command contains arguments, and %s starts it without a shell", client).with("command: " + program)
	}
	if strings.HasPrefix(program, "~") || strings.HasPrefix(program, "$") {
		return "", because("write the complete path", "the path of the program is not expanded: %s starts it without a shell",
			client).with("command: " + program)
	}
	path := variable(w.target.Env, "PATH")
	found := w.find(program, path)
	if found != "" {
		w.target.Command = append([]string{found}, w.target.Command[1:]...)
		return found, nil
	}
	if strings.ContainsRune(program, filepath.Separator) {
		return "", w.missingFile(program)
	}
	shell, _ := w.in.System.Lookup("PATH")
	if other := w.find(program, shell); other != "" && shell != path {
		return "", because(fmt.Sprintf("write the complete path into the entry: \"command\": %q", other),
			"the program %q is on the PATH of your shell, but not on the PATH of %s", program, client).
			with(fmt.Sprintf("found: %s", other), "PATH of the server: "+path)
	}
	return "", because(fmt.Sprintf("install %s, or write its complete path into the entry", program),
		"the program %q is not installed: it is not on the PATH", program).with("PATH: " + path)
}

// missingFile returns why a program that is given by its path cannot be started.
func (w *walk) missingFile(program string) *problem {
	full := program
	if !filepath.IsAbs(full) {
		full = filepath.Join(w.target.Dir, full)
	}
	info, err := os.Stat(full)
	switch {
	case err != nil && !filepath.IsAbs(program):
		return because("write the complete path into the entry",
			"the program %s does not exist in the working directory of the server", program).with("directory: " + w.target.Dir)
	case err != nil:
		return because("correct the path, or build the server first", "the program %s does not exist", program)
	case info.IsDir():
		return because("write the path of the program inside it", "%s is a directory, not a program", program)
	}
	return because("run: chmod +x "+full, "the program %s is not executable", program)
}

// find returns the file of a program.
func (w *walk) find(program, path string) string {
	if strings.ContainsRune(program, filepath.Separator) {
		if !filepath.IsAbs(program) {
			program = filepath.Join(w.target.Dir, program)
		}
		return executable(program, w.sys.GOOS)
	}
	for _, dir := range filepath.SplitList(path) {
		if file := executable(filepath.Join(dir, program), w.sys.GOOS); file != "" && dir != "" {
			return file
		}
	}
	return ""
}

// executable returns the file if it can be executed; on Windows with its extension.
func executable(file, goos string) string {
	if goos == "windows" {
		for _, extension := range []string{"", ".exe", ".cmd", ".bat"} {
			if isFile(file + extension) {
				return file + extension
			}
		}
		return ""
	}
	if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
		return file
	}
	return ""
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func variable(env []string, name string) string {
	for _, pair := range env {
		if key, value, _ := strings.Cut(pair, "="); key == name {
			return value
		}
	}
	return ""
}

func quoted(words []string) string {
	var out []string
	for _, word := range words {
		out = append(out, fmt.Sprintf("%q", word))
	}
	return strings.Join(out, ", ")
}

// session starts the server, opens a session within the limit of the client, and lists the tools.
func (w *walk) session(ctx context.Context) *problem {
	limit := w.out.Client.limit(w.in.System, w.entry)
	started := time.Now()
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	w.log = wire.NewTranscript(&wire.TranscriptOptions{})
	var s *mcp.Session
	failed := w.step(ctx, "handshake", func(context.Context) (string, *problem) {
		var err error
		s, err = mcp.Connect(within, w.target, w.log, w.options(limit))
		if err != nil {
			return "", w.unopened(within, err, limit)
		}
		return fmt.Sprintf("%s in %s", s.Version, time.Since(started).Round(time.Millisecond)), nil
	})
	if failed != nil {
		return failed
	}
	defer s.Close()
	return w.list(within, s, limit)
}

// options returns how the client opens a session.
func (w *walk) options(limit time.Duration) *mcp.Options {
	return &mcp.Options{Protocol: w.out.Client.Protocol, Timeout: limit,
		Client: mcp.Implementation{Name: "mcptest", Version: w.in.Version}}
}

// unopened returns why no session was opened.
func (w *walk) unopened(within context.Context, err error, limit time.Duration) *problem {
	var failed *wire.Error
	stderr := ""
	if errors.As(err, &failed) {
		stderr = wire.Plain(failed.Stderr)
	}
	if w.target.URL != "" {
		if p := w.rejected(within, err); p != nil {
			return p
		}
	}
	if lines := w.otherOutput(); len(lines) > 0 {
		return because("write logs and banners to stderr: stdout is for JSON-RPC messages, one per line",
			"the server writes text to stdout that is not a message, and then does not respond").with(lines...)
	}
	if p := causeOf(stderr, w); p != nil {
		return p.with(lastLines(stderr)...)
	}
	var exit *wire.ExitError
	if errors.As(err, &exit) {
		cause := fmt.Sprintf("%s before the handshake", exit.Error())
		if line := lastLine(stderr); line != "" {
			cause += ": " + line
		}
		return because("run the command in a terminal, in "+w.target.Dir, "%s", cause).with(lastLines(stderr)...)
	}
	var late *mcp.TimeoutError
	if within.Err() != nil || errors.As(err, &late) {
		fix := "make the server respond earlier, or raise the limit of the client"
		if key := w.out.Client.limitKey; key != "" {
			fix += ": " + key + " of the entry"
		}
		p := because(fix,
			"it does not respond within %s, the startup limit of %s", limit, w.out.Client.Name).with(lastLines(stderr)...)
		if late != nil {
			p.with(late.Alive)
		}
		return p
	}
	p := because("", "%s", message(err)).with(lastLines(stderr)...)
	if failed != nil {
		p.fix = failed.Hint.String()
	}
	return p
}

// message returns the text of an error without what was being done.
func message(err error) string {
	text := err.Error()
	var failed *wire.Error
	if errors.As(err, &failed) {
		if _, after, found := strings.Cut(text, failed.Target+": "); found {
			return after
		}
	}
	return text
}

// otherOutput returns the first lines on stdout that are not messages.
func (w *walk) otherOutput() []string {
	var lines []string
	for _, f := range w.log.Since(0) {
		if f.From != wire.Server || wire.IsStderr(f) || !strings.HasPrefix(f.Stream, string(wire.Stdio)) {
			continue
		}
		if m := mcp.Read(f); m.Method == "" && !m.IsResponse() {
			if lines = append(lines, "stdout: "+string(f.Body)); len(lines) == 3 {
				break
			}
		}
	}
	return lines
}
