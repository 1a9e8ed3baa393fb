// Package workbench defines the operations of mcptest, each of them once. The surfaces (commands, pages, tools
// for assistants) present operations and add no behavior.
package workbench

import (
	"context"
	"io"
	"reflect"

	"github.com/mcptest-dev/mcptest/internal/hint"
)

// A Surface is a set of surfaces, besides the command line, on which an operation may appear. The zero value is
// only the command line: operations that start processes or access files are not available elsewhere.
type Surface uint8

// The surfaces besides the command line.
const (
	Page      Surface = 1 << iota // the inspector and its HTTP API
	Assistant                     // the MCP server for assistants
)

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

// An Op is one operation. The json and jsonschema tags of In define its flags, and elsewhere its input schema.
// A field with the tag surface:"cli" is only for the command line: it reads or writes a file. A field with
// surface:"user" grants something that only the user may grant: it is for the command line and the page, and is
// not an input of a tool.
type Op[In, Out any] struct {
	Name     string // the command, and the HTTP path: "tools list"
	Tool     string // the name of the MCP tool; empty if it has none
	Doc      string // the first line is the title
	Help     string // more for the command line only: flags, files, exit statuses
	Example  string // example commands, one per line, with built-in servers; a test runs them
	Surfaces Surface
	Calls    bool     // it calls any tool it is given, and so may change something
	Uses     Uses     // which options of every command have an effect
	Omit     []string // fields of an embedded Connection that have no effect, by their JSON names
	Run      func(ctx context.Context, w *Workbench, in *In) (Out, error)
	Text     func(w io.Writer, out Out) error // text output; nil means JSON
}

// An Operation is an Op whose types are known only at run time, for surfaces that list all operations.
type Operation struct {
	Name, Tool, Doc string
	Surfaces        Surface
	Calls           bool
	NewInput        func() any // a pointer to a new In
	Run             func(ctx context.Context, w *Workbench, in any) (any, error)
}

// Operation returns the operation without its types.
func (o Op[In, Out]) Operation() Operation {
	return Operation{Name: o.Name, Tool: o.Tool, Doc: o.Doc, Surfaces: o.Surfaces, Calls: o.Calls,
		NewInput: func() any { return new(In) },
		Run: func(ctx context.Context, w *Workbench, in any) (any, error) {
			if err := w.onlyGranted(reflect.ValueOf(in).Elem()); err != nil {
				return nil, err
			}
			return o.Run(ctx, w, in.(*In))
		}}
}

// Operations lists every operation.
func Operations() []Operation {
	return []Operation{
		ToolsList.Operation(), ToolsCall.Operation(), ResourcesList.Operation(), ResourcesRead.Operation(),
		ResourcesTemplates.Operation(), PromptsList.Operation(), PromptsGet.Operation(), Complete.Operation(), Raw.Operation(),
		Listen.Operation(), SchemaLint.Operation(), Conform.Operation(), Rules.Operation(), Explain.Operation(), Hosts.Operation(), Servers.Operation(),
		RunSuites.Operation(), SuiteValidate.Operation(), SuiteInit.Operation(), SuiteSchema.Operation(), Fuzz.Operation(), Check.Operation(), Load.Operation(),
		Auth.Operation(), AuthStatus.Operation(), AuthLogout.Operation(),
	}
}

// A UsageError reports an invalid request; nothing was sent.
type UsageError struct {
	Message string
	Hint    hint.Text     // what to do instead
	Request *GrantRequest // what the user can be asked for instead; may be nil
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
