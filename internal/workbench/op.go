// Package workbench defines what an operation is and what it may use: its declaration, its environment, its
// connection to a server, grants, texts and reports. The packages below internal/ops declare operations, each of them
// once. The surfaces (commands, pages, tools for assistants) present operations and add no behavior.
package workbench

import (
	"context"
	"io"

	"github.com/mcptest-dev/mcptest/internal/hint"
)

// A Section is a heading of the command list in help.
type Section string

// The headings, in the order of Sections. A command without one is listed last.
const (
	Explore  Section = "Explore a server"
	Test     Section = "Test a server"
	Maintain Section = "Maintain tests"
	Serve    Section = "Serve"
)

// Sections are the headings of the command list in the order in which help shows them.
var Sections = []Section{Explore, Test, Maintain, Serve}

// Uses is what an operation does that options of the command line change.
type Uses uint8

// What an operation does besides printing its result.
const (
	Frames   Uses = 1 << iota // it exchanges frames with servers, which can be traced and recorded
	Requests                  // it answers requests from servers
	Color                     // its text has color
	IsJSON                    // its output is JSON unless another format is chosen
	Records                   // it records frames that other programs exchange
)

// A Parent is a command that only groups others: "tools" of "tools list".
type Parent struct {
	Name, Doc string
	Section   Section
	Order     int // within the section
}

// An Op is one operation. The tags of In define its flags, and elsewhere its input schema; see Field. An Op that sets
// neither Page nor Tool is for the command line only, as must be those that start processes or access files.
type Op[In, Out any] struct {
	Name       string   // the command, and the HTTP path: "tools list"
	Parent     *Parent  // the command above it, unless that is an operation or mcptest itself
	Section    Section  // where help lists it; empty for a command below another one
	Order      int      // within the section
	Page       bool     // the inspector and its HTTP API offer it
	Tool       string   // the name of the MCP tool for assistants; empty if it has none
	Doc        string   // the first line is the title
	Help       string   // more for the command line only: flags, files, exit statuses
	Example    string   // example commands, one per line, with built-in servers; a test runs them
	Calls      bool     // it calls any tool it is given, and so may change something
	Uses       Uses     // which options of every command have an effect
	Omit       []string // fields of an embedded Connection that have no effect, by their JSON names
	FileTarget bool     // its target may also be a file
	Run        func(ctx context.Context, w *Workbench, in *In) (Out, error)
	Text       func(w io.Writer, out Out) error // text output; nil means JSON
}

// An Operation is an Op whose types are known only at run time, for surfaces that list all operations.
type Operation struct {
	Name, Tool, Doc, Help, Example string
	Parent                         *Parent
	Section                        Section
	Order                          int
	Page, Calls, FileTarget        bool
	Uses                           Uses
	Omit                           []string
	Silent                         bool       // it returns no result
	NewInput                       func() any // a pointer to a new In
	Run                            func(ctx context.Context, w *Workbench, in any) (any, error)
	Text                           func(w io.Writer, out any) error // nil means JSON
}

// Operation returns the operation without its types.
func (o Op[In, Out]) Operation() Operation {
	out := Operation{Name: o.Name, Tool: o.Tool, Doc: o.Doc, Help: o.Help, Example: o.Example, Parent: o.Parent,
		Section: o.Section, Order: o.Order, Page: o.Page, Calls: o.Calls, FileTarget: o.FileTarget, Uses: o.Uses,
		Omit: o.Omit, NewInput: func() any { return new(In) },
		Run: func(ctx context.Context, w *Workbench, in any) (any, error) {
			if err := w.onlyGranted(in); err != nil {
				return nil, err
			}
			return o.Run(ctx, w, in.(*In))
		}}
	if o.Text != nil {
		out.Text = func(w io.Writer, result any) error { return o.Text(w, result.(Out)) }
	}
	_, out.Silent = any(*new(Out)).(struct{})
	return out
}

// A UsageError reports an invalid request; nothing was sent.
type UsageError struct {
	Message string
	Hint    hint.Text // what to do instead
	// lines of a text in the input as they were probably meant, each with its number
	Corrected []string
	Request   *GrantRequest // what the user can be asked for instead; may be nil
}

// Error returns the message.
func (e *UsageError) Error() string { return e.Message }

// A RawJSON is a result with a server's own JSON, byte for byte.
type RawJSON interface{ RawJSON() []byte }

// Remarks are information for users beyond the server's own JSON: why it counts as a failure, where content was
// saved. If the JSON is shown, they are shown next to it.
type Remarks interface{ Remarks() []string }

// An Advising is a result with a suggested next step, or "". It is for the user, and not part of the result.
type Advising interface{ Advice() string }

// A Verdict is a result that can be a failure without being an error: a tool that returns isError, a report
// with findings.
type Verdict interface{ Failed() bool }

// A Reached is a verdict that also reports whether a server could not be reached, which takes precedence over a
// failure.
type Reached interface{ Unreached() bool }

// An Incompleted is a verdict that also reports whether too little was tested, which ranks below a failure.
type Incompleted interface{ Incomplete() bool }

// A Failing is a result that is shown although the operation ended with an error.
type Failing interface{ Failure() error }

// An Interrupted is the partial result of an operation that was stopped.
type Interrupted interface{ Interrupted() bool }
