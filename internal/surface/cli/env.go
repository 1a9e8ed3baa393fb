// Package cli is the command line of mcptest: commands made from the workbench's operations, and how their results
// look in a terminal and in a pipe.
package cli

import (
	"io"
	"os"

	"golang.org/x/term"

	"github.com/mcptest-dev/mcptest/internal/target"
)

// An Env is everything that the commands take from the outside, so that a test can give them another outside.
type Env struct {
	Args       []string // without the program's name
	Stdin      io.Reader
	Stdout     io.Writer
	Stderr     io.Writer
	Getenv     func(string) string
	System     target.System // the machine: where config files are, what a name means
	Supervisor []string      // argv that runs wire.Supervise; empty starts servers directly
}

// System is the outside of this process.
func System() *Env {
	e := &Env{Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv}
	e.System, _ = target.ThisSystem() // without a home directory the files of the project are left
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

// colorful reports whether colours may be used on w: on a terminal, unless the person or the terminal says no.
func (e *Env) colorful(w io.Writer) bool {
	return terminal(w) && e.Getenv("NO_COLOR") == "" && e.Getenv("TERM") != "dumb"
}

// columns is the width of the terminal that w is; 0 if it is none, or does not say.
func (e *Env) columns(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
	}
	return 0
}

// A screen is a writer that knows how wide it is and whether it may be colourful.
type screen struct {
	io.Writer
	color   bool
	columns int
}

// screen is the standard output as operations see it.
func (a *app) screen() screen {
	return screen{a.out, a.env.colorful(a.env.Stdout) && !a.view.noColor, a.env.columns(a.env.Stdout)}
}

// Columns is how wide a line may be; 0 if it may be of any width.
func (s screen) Columns() int { return s.columns }

// Color reports whether colours may be used.
func (s screen) Color() bool { return s.color }
