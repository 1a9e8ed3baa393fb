// Gotest runs `go test`, prints what it usually prints, and fails if a test was skipped that is not in a list: a test
// that is skipped where it should run protects nothing.
//
//	go run ./tools/gotest -skips .ci/skips -- [FLAGS] PACKAGES
//
// Each line of the list is a package and a test, with * as a wildcard; what follows a # is the reason.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
)

func main() {
	list := flag.String("skips", "", "the list of tests that may be skipped")
	flag.Parse()
	allowed, err := readSkips(*list)
	if err != nil {
		fmt.Fprintln(os.Stderr, "gotest:", err)
		os.Exit(2)
	}
	status, err := run(flag.Args(), allowed, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "gotest:", err)
	}
	os.Exit(status)
}

// A skip is a test that may be skipped.
type skip struct{ pkg, test string }

func readSkips(file string) ([]skip, error) {
	if file == "" {
		return nil, errors.New("-skips is missing")
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return parseSkips(string(data))
}

func parseSkips(text string) ([]skip, error) {
	var all []skip
	for number, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		fields := strings.Fields(line)
		switch len(fields) {
		case 0:
		case 2:
			all = append(all, skip{fields[0], fields[1]})
		default:
			return nil, fmt.Errorf("line %d: expected a package and a test, got %q", number+1, line)
		}
	}
	return all, nil
}

// run runs go test and returns its exit status, or 1 for a skipped test that is not allowed.
func run(args []string, allowed []skip, out io.Writer) (int, error) {
	cmd := exec.Command("go", append([]string{"test", "-json"}, args...)...)
	cmd.Stderr = os.Stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return 2, err
	}
	if err := cmd.Start(); err != nil {
		return 2, err
	}
	l := &log{out: out, verbose: slices.Contains(args, "-v"), tests: map[string]*strings.Builder{}, allowed: allowed}
	if err := l.read(pipe); err != nil {
		return 2, err
	}
	if err := cmd.Wait(); err != nil {
		return max(cmd.ProcessState.ExitCode(), 1), nil
	}
	if len(l.skipped) > 0 {
		fmt.Fprintf(out, "skipped:\n%s\n", strings.Join(l.skipped, "\n"))
	}
	if len(l.unwanted) > 0 {
		fmt.Fprintf(out, "FAIL: skipped, but not in the list of tests that may be skipped:\n%s\n",
			strings.Join(l.unwanted, "\n"))
		return 1, nil
	}
	return 0, nil
}

// An event is a line of `go test -json`.
type event struct{ Action, Package, Test, Output string }

// A log prints the events of `go test -json` as go test would: the output of failed tests alone, unless verbose.
type log struct {
	out      io.Writer
	verbose  bool
	tests    map[string]*strings.Builder // output of tests that have not ended
	allowed  []skip
	skipped  []string // with why, as listed
	unwanted []string // and not as listed
}

func (l *log) read(r io.Reader) error {
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		if line != "" {
			l.line(line)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (l *log) line(line string) {
	var e event
	if json.Unmarshal([]byte(line), &e) != nil {
		fmt.Fprint(l.out, line) // of the go command itself
		return
	}
	key := e.Package + " " + e.Test
	switch {
	case e.Output != "" && (e.Test == "" || l.verbose):
		if l.verbose || e.Output != "PASS\n" {
			fmt.Fprint(l.out, e.Output)
		}
	case e.Output != "":
		if l.tests[key] == nil {
			l.tests[key] = &strings.Builder{}
		}
		if !strings.HasPrefix(e.Output, "=== ") {
			l.tests[key].WriteString(e.Output)
		}
	case e.Test != "" && (e.Action == "fail" || e.Action == "skip" || e.Action == "pass"):
		text := ""
		if b := l.tests[key]; b != nil {
			text = b.String()
			delete(l.tests, key)
		}
		if e.Action == "fail" {
			fmt.Fprint(l.out, text)
		}
		if e.Action == "skip" {
			l.skip(e.Package, e.Test, text)
		}
	case e.Test == "" && e.Action == "fail":
		l.unfinished(e.Package)
	}
}

// skip notes a skipped test. Its output is where it was skipped, and why.
func (l *log) skip(pkg, test, output string) {
	why, _, _ := strings.Cut(strings.TrimSpace(output), "\n")
	line := pkg + " " + test + ": " + why
	if slices.ContainsFunc(l.allowed, func(s skip) bool { return s.covers(pkg, test) }) {
		l.skipped = append(l.skipped, line)
	} else {
		l.unwanted = append(l.unwanted, line)
	}
}

// unfinished prints the output of tests that had not ended when their package failed: one of them panicked or was too
// slow.
func (l *log) unfinished(pkg string) {
	for key, b := range l.tests {
		if strings.HasPrefix(key, pkg+" ") {
			fmt.Fprint(l.out, b.String())
			delete(l.tests, key)
		}
	}
}

// covers reports whether the line of the list is about a test: the package ends with its package, and the test, or one
// that it is a part of, matches its test.
func (s skip) covers(pkg, test string) bool {
	if s.pkg != "*" && !strings.HasSuffix("/"+pkg, "/"+s.pkg) {
		return false
	}
	for name := test; name != "."; name = path.Dir(name) {
		if ok, _ := path.Match(s.test, name); ok {
			return true
		}
	}
	return false
}
