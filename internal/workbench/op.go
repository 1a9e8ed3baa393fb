// Package workbench is what mcptest can do, each operation declared once. The surfaces (commands, pages, tools for
// assistants) present operations and add no behaviour.
package workbench

import (
	"context"
	"io"
	"reflect"
)

// A Surface is a set of places, beside the command line, where an operation may appear. The zero value is the command
// line alone: what starts processes or touches files is nobody else's to ask for.
type Surface uint8

// The surfaces beside the command line.
const (
	Page      Surface = 1 << iota // the inspector and its HTTP API
	Assistant                     // the MCP server for assistants
)

// An Op is one operation. The json and jsonschema tags of In are its flags, and elsewhere its input schema. A field with
// the tag surface:"cli" is for the command line alone: it reads or writes a file. One with surface:"user" allows something that only
// the user may allow: it is for the command line and the page, and no input of a tool.
type Op[In, Out any] struct {
	Name     string // the command, and the HTTP path: "tools list"
	Tool     string // the name of the MCP tool; empty if there is none
	Doc      string // the first line is the title
	Example  string // commands that show its use, one a line, with servers that are built in; a test runs them
	Surfaces Surface
	Calls    bool // it calls whatever tools it is told to, and so may change something
	Run      func(ctx context.Context, w *Workbench, in *In) (Out, error)
	Text     func(w io.Writer, out Out) error // for people; nil means JSON
}

// An Operation is an Op whose types are known at run time alone, for surfaces that show all there are.
type Operation struct {
	Name, Tool, Doc string
	Surfaces        Surface
	Calls           bool
	NewInput        func() any // a pointer to a new In
	Run             func(ctx context.Context, w *Workbench, in any) (any, error)
}

// Operation is the operation without its types.
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

// A UsageError says that the request is wrong and nothing was sent.
type UsageError struct {
	Message string
	Hint    string        // what to do instead
	Request *GrantRequest // what the user can be asked for instead; may be nil
}

// Error tells what is wrong.
func (e *UsageError) Error() string { return e.Message }

// A RawJSON is a result that has a server's own JSON to show, byte for byte.
type RawJSON interface{ RawJSON() []byte }

// Remarks are what people need to know of a result beyond the server's own JSON: why it counts as a failure, where
// content was saved. Where the JSON is shown, they stand beside it.
type Remarks interface{ Remarks() []string }

// An Advising is a result that knows what to try next, or has "". It is for whoever asked, and no part of the result.
type Advising interface{ Advice() string }

// A Verdict is a result that can be a failure without being an error: a tool that says isError, a report with
// findings.
type Verdict interface{ Failed() bool }

// A Reached is a verdict that can also be that a server could not be reached, which weighs more than a failure.
type Reached interface{ Unreached() bool }

// An Incompleted is a verdict that can also be that too little was tested for one, which weighs less than a failure.
type Incompleted interface{ Incomplete() bool }

// A Failing is a result that is shown although an error ended the operation.
type Failing interface{ Failure() error }

// An Interrupted is a result of what was stopped before its end: it holds what came of it until then.
type Interrupted interface{ Interrupted() bool }
