package workbench

import (
	"io"
	"os"
	"reflect"
)

// Grants define what an operation may use of the user's machine. The zero value grants nothing: a surface
// grants each capability explicitly, and only the command line grants all of them.
type Grants struct {
	Files       bool // read and write the files named in inputs
	Stdin       bool // read the stdin of mcptest
	Environment bool // read environment variables of the user
	Processes   bool // start the program named in an input
	Private     bool // connect to loopback and private addresses
	Disruptive  bool // send load and malformed frames to remote servers
	UnsafeTools bool // call tools in bulk that are not safe, or cost money (see internal/safety)
}

// What each surface grants. Operations of an assistant get none of it: see connections.Set.
var (
	CommandLine = Grants{Files: true, Stdin: true, Environment: true, Processes: true, Private: true,
		Disruptive: true, UnsafeTools: true}
	ForPage       = Grants{Disruptive: true, UnsafeTools: true} // servers are approved one by one
	ForAssistants = Grants{}
)

// notGranted returns the error of an operation that needs what its surface does not grant.
func notGranted(what string) error {
	return &UsageError{Message: "only the command line can " + what,
		Hint: "have the user run the command in a terminal"}
}

// MayUseFiles returns an error if file access is not granted.
func (w *Workbench) MayUseFiles() error {
	if w.Grants.Files {
		return nil
	}
	return notGranted("read or write files")
}

// ReadFile reads a file named in an input, if granted.
func (w *Workbench) ReadFile(path string) ([]byte, error) {
	if err := w.MayUseFiles(); err != nil {
		return nil, err
	}
	return readFile(path)
}

// WriteFile writes a file named in an input, if granted.
func (w *Workbench) WriteFile(path string, data []byte) error {
	if err := w.MayUseFiles(); err != nil {
		return err
	}
	return WriteFile(path, data)
}

// Stdin returns the stdin of mcptest, if granted.
func (w *Workbench) Stdin() (io.Reader, error) {
	if !w.Grants.Stdin {
		return nil, notGranted("read stdin")
	}
	return os.Stdin, nil
}

// Variable returns an environment variable of the user, if granted.
func (w *Workbench) Variable(name string) (string, bool) {
	if !w.Grants.Environment {
		return "", false
	}
	return w.System.Lookup(name)
}

// onlyGranted rejects an input that sets a field for the command line, or for the user, if that is not granted.
// Surfaces do not offer such fields; this is a second line of defense. Durations are limits that a surface sets
// itself.
func (w *Workbench) onlyGranted(in any) error {
	if w.Grants.Files {
		return nil
	}
	for _, f := range FieldsOf(reflect.TypeOf(in).Elem()) {
		restricted := f.Audience == CommandOnly || f.Audience == UserOnly && !w.Grants.UnsafeTools
		if value := f.Value(in); restricted && value.Kind() != reflect.Int64 && !value.IsZero() {
			return notGranted("set " + f.Name)
		}
	}
	return nil
}
