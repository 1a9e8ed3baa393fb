// Package cli implements the command line of mcptest: commands created from the workbench's operations, and the
// formatting of results for terminals and pipes.
package cli

import (
	"io"
	"os"
	"syscall"

	"golang.org/x/term"

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
	Supervisor []string      // argv that runs wire.Supervise; empty starts servers directly

	// Raise ends this process by a signal; it may return if it cannot. nil never does.
	Raise func(syscall.Signal)
}

// System returns the environment of this process.
func System() *Env {
	e := &Env{Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, Raise: raise}
	e.System, _ = target.ThisSystem() // without a home directory only the project files are read
	if self, err := os.Executable(); err == nil {
		e.Supervisor = []string{self, superviseCommand}
	}
	return e
}

// superviseCommand is the hidden first argument under which the binary supervises a server; see wire.Supervise.
const superviseCommand = "__supervise"

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
	columns int
}

// screen returns the stdout that operations use.
func (a *app) screen() screen {
	return screen{a.out, a.env.colorful(a.env.Stdout) && !a.view.noColor, a.env.columns(a.env.Stdout)}
}

// Columns returns the maximum line width; 0 if it is unlimited.
func (s screen) Columns() int { return s.columns }

// Color reports whether color may be used.
func (s screen) Color() bool { return s.color }
