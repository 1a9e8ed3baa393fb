package cli_test

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/sys/unix"

	"github.com/mcptest-dev/mcptest/internal/surface/cli"
)

// try shows a proof.
func (p proof) try(t *testing.T) {
	t.Helper()
	want, only := strings.CutPrefix(p.want, "!")
	match := regexp.MustCompile(want)
	line := p.line
	if !strings.Contains(line, "{flag}") {
		line += " {flag}"
		if before, command, found := strings.Cut(p.line, " -- "); found {
			line = before + " {flag} -- " + command
		}
	}
	var outcomes [2]string
	for i, flag := range []string{"", p.flag} {
		s := newScene(t)
		s.prepare(line + p.flag)
		s.terminal = strings.Contains(p.flag, "--no-color")
		if strings.Contains(p.flag, "--interactive") {
			s.terminal, s.typed = true, "probe\n"
		}
		expected := (i == 1) != only
		outcomes[i] = s.run(strings.Replace(line, "{flag}", flag, 1),
			func(text string) bool { return expected && match.MatchString(text) })
	}
	if match.MatchString(outcomes[0]) != only || match.MatchString(outcomes[1]) == only {
		t.Errorf("%s %s: no effect: expected %q\nwithout it: %.1500s\nwith it: %.1500s", p.line, p.flag, p.want,
			outcomes[0], outcomes[1])
	}
}

// listed calls do for every flag that a command lists.
func listed(cmd *cobra.Command, do func(command string, f *pflag.Flag)) {
	if cmd.Runnable() && !cmd.Hidden && cmd.HasParent() && cmd.Name() != "help" {
		cmd.InitDefaultHelpFlag()
		seen := func(f *pflag.Flag) {
			if !f.Hidden && f.Name != "help" {
				do(strings.TrimPrefix(cmd.CommandPath(), "mcptest "), f)
			}
		}
		cmd.LocalFlags().VisitAll(seen)
		cmd.InheritedFlags().VisitAll(seen)
	}
	for _, sub := range cmd.Commands() {
		listed(sub, do)
	}
}

// TestFlags walks all commands and all flags that they list, and shows that each flag has its effect on each command. A
// flag without a proof fails.
func TestFlags(t *testing.T) {
	elsewhere := shownElsewhere(t)
	lists := func(command, flag string) bool {
		cmd, _, err := cli.Commands().Find(strings.Fields(command))
		f := cmd.Flag(flag)
		return err == nil && f != nil && !f.Hidden
	}
	left := maps.Clone(withoutProof)
	listed(cli.Commands(), func(command string, f *pflag.Flag) {
		name := command + " --" + f.Name
		if _, ok := left[name]; ok {
			delete(left, name)
			if _, proven := proofs[name]; proven || elsewhere[name] {
				t.Errorf("%s has a proof; remove it from withoutProof", name)
			}
			return
		}
		own, single := proofs[name]
		many, shared := common[f.Name]
		base, based := bases[command]
		switch {
		case single:
			t.Run(name, func(t *testing.T) { t.Parallel(); own.try(t) })
		case shared && based && !elsewhere[name]:
			line := strings.ReplaceAll(base, "{target}", many.at)
			if many.more != "" && lists(command, "trace") {
				line = strings.Replace(line, command, command+" "+many.more, 1)
			}
			t.Run(name, func(t *testing.T) { t.Parallel(); proof{line, many.flag, many.want}.try(t) })
		case elsewhere[name]:
		default:
			t.Errorf("%s: no proof of its effect; add one to proofs, or a test to testdata/flags.txt", name)
		}
	})
	if len(left) > 0 {
		t.Errorf("withoutProof has flags that no command lists: %q", left)
	}
}

// shownElsewhere reads the list of flags whose effect other tests show: the command and flag, and the file with the
// test.
func shownElsewhere(t *testing.T) map[string]bool {
	t.Helper()
	text, err := os.ReadFile("testdata/flags.txt")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		name, file, found := strings.Cut(strings.TrimSpace(line), ": ")
		if !found || strings.HasPrefix(line, "#") {
			continue
		}
		_, flag, _ := strings.Cut(name, " --")
		test, err := os.ReadFile(filepath.Join("../../..", file))
		if err != nil || !strings.Contains(string(test), "--"+flag) {
			t.Errorf("%s: %s does not use the flag (%v)", name, file, err)
		}
		all[name] = true
	}
	return all
}

// TestRefusedFlags expects a flag that has no effect on a command to be rejected with the reason.
func TestRefusedFlags(t *testing.T) {
	s := newScene(t)
	for line, want := range map[string]string{
		"explain SCH-001 --trace": "--trace has no effect on mcptest explain\nhint: remove --trace: " +
			"it is for commands that exchange messages with a server",
		"--transcript {dir}/x explain SCH-001":    "--transcript has no effect on mcptest explain",
		"version --answer {dir}/answers.json":     "--answer has no effect on mcptest version",
		"report {dir}/report.json --no-redact":    "--no-redact has no effect on mcptest report",
		"demo --json":                             "--json has no effect on mcptest demo",
		"conform --log-level debug demo":          "unknown flag: --log-level",
		"auth status --env A=b https://x.example": "unknown flag: --env",
		"auth status -- sh":                       "unexpected command after --",
	} {
		got := s.run(line, nil)
		if !strings.HasPrefix(got, "exit 2\n") || !strings.Contains(got, want) {
			t.Errorf("%s: %s; expected %q", line, got, want)
		}
	}
}

// openTerminal opens a terminal whose output goes to a writer, and returns what closes it and waits for the last
// output.
func openTerminal(t *testing.T, to io.Writer, typed string) (screen *os.File, drain func()) {
	t.Helper()
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("skipped: no terminals: %v", err)
	}
	n, err := unix.IoctlGetInt(int(ours.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(ours.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		screen, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		t.Skipf("skipped: no terminals: %v", err)
	}
	if _, err := io.WriteString(ours, typed); err != nil {
		t.Fatal(err)
	}
	read := make(chan struct{})
	go func() { _, _ = io.Copy(to, ours); close(read) }()
	return screen, func() {
		if typed != "" {
			_, _ = io.WriteString(ours, "\x04") // ends a read that would keep the terminal open
		}
		_ = screen.Close()
		<-read
		_ = ours.Close()
	}
}
