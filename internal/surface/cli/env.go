// Package cli implements the command line of mcptest: commands created from the workbench's operations, and the
// formatting of results for terminals and pipes.
package cli

import (
	"cmp"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/term"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire/supervise"
	"github.com/mcptest-dev/mcptest/internal/target"
)

// An Env is the external environment of the commands, so that a test can replace it.
type Env struct {
	Args       []string // without the program's name
	Stdin      io.Reader
	Stdout     io.Writer
	Stderr     io.Writer
	Getenv     func(string) string
	System     target.System // resolves names and config files of the machine
	Supervisor []string      // argv of the supervisor; see package supervise; empty starts servers directly

	// Raise ends this process by a signal; it may return if it cannot. nil never does.
	Raise func(syscall.Signal)
}

// System returns the environment of this process.
func System() *Env {
	e := &Env{Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, Raise: raise}
	e.System, _ = target.ThisSystem() // without a home directory only the project files are read
	if self, err := os.Executable(); err == nil {
		e.Supervisor = []string{self, supervise.Command}
	}
	return e
}

// terminal reports whether w is a terminal.
func terminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// colorful reports whether color may be used on w: on a terminal, unless the user or the terminal disables it.
func (e *Env) colorful(w io.Writer) bool {
	return terminal(w) && e.Getenv("NO_COLOR") == "" && e.Getenv("TERM") != "dumb"
}

// columns returns the width of the terminal w; 0 if it is not a terminal, or unknown.
func (e *Env) columns(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
	}
	return 0
}

// A screen is a writer with a width that reports whether color may be used.
type screen struct {
	io.Writer
	color   bool
	links   bool
	blocks  bool
	columns int
}

// screen returns the stdout that operations use.
func (a *app) screen() screen {
	color := a.env.colorful(a.env.Stdout) && !a.view.noColor
	return screen{a.out, color, color && a.env.hyperlinks(), a.env.utf8(), a.env.columns(a.env.Stdout)}
}

// utf8 reports whether the locale uses UTF-8. On Windows and macOS, a terminal does unless the locale is another one.
func (e *Env) utf8() bool {
	locale := cmp.Or(e.Getenv("LC_ALL"), e.Getenv("LC_CTYPE"), e.Getenv("LANG"))
	if locale == "" {
		return e.System.GOOS == "windows" || e.System.GOOS == "darwin"
	}
	locale = strings.ToLower(locale)
	return strings.Contains(locale, "utf-8") || strings.Contains(locale, "utf8")
}

// Columns returns the maximum line width; 0 if it is unlimited.
func (s screen) Columns() int { return s.columns }

// Color reports whether color may be used.
func (s screen) Color() bool { return s.color }

// Links reports whether text may be a hyperlink.
func (s screen) Links() bool { return s.links }

// Blocks reports whether bars may consist of block elements.
func (s screen) Blocks() bool { return s.blocks }

// hyperlinks reports whether the terminal is known to support hyperlinks (OSC 8). Others may show the escape sequence.
func (e *Env) hyperlinks() bool {
	if force := e.Getenv("FORCE_HYPERLINK"); force != "" {
		return force != "0"
	}
	if e.Getenv("KITTY_WINDOW_ID") != "" || e.Getenv("WT_SESSION") != "" || e.Getenv("KONSOLE_VERSION") != "" {
		return true
	}
	switch e.Getenv("TERM_PROGRAM") {
	case "iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "Tabby", "rio":
		return true
	case "tmux":
		return false
	}
	version, err := strconv.Atoi(e.Getenv("VTE_VERSION"))
	if err == nil && version >= 5000 {
		return true
	}
	terminal := e.Getenv("TERM")
	return strings.HasPrefix(terminal, "alacritty") || strings.HasPrefix(terminal, "foot") ||
		terminal == "xterm-kitty" || terminal == "xterm-ghostty"
}
