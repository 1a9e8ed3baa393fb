package workbench

import (
	"io"
	"os"
	"reflect"
	"strings"
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

// What each surface grants. Operations of an assistant get none of it: see Desk.Bench.
var (
	CommandLine   = Grants{Files: true, Stdin: true, Environment: true, Processes: true, Private: true, Disruptive: true, UnsafeTools: true}
	ForPage       = Grants{Disruptive: true, UnsafeTools: true} // servers are approved one by one
	ForAssistants = Grants{}
)

// notGranted returns the error of an operation that needs what its surface does not grant.
func notGranted(what string) error {
	return &UsageError{Message: "only the command line can " + what, Hint: "have the user run the command in a terminal"}
}

// mayUseFiles returns an error if file access is not granted.
func (w *Workbench) mayUseFiles() error {
	if w.Grants.Files {
		return nil
	}
	return notGranted("read or write files")
}

// readFile reads a file named in an input, if granted.
func (w *Workbench) readFile(path string) ([]byte, error) {
	if err := w.mayUseFiles(); err != nil {
		return nil, err
	}
	return readFile(path)
}

// writeFile writes a file named in an input, if granted.
func (w *Workbench) writeFile(path string, data []byte) error {
	if err := w.mayUseFiles(); err != nil {
		return err
	}
	return writeFile(path, data)
}

// stdin returns the stdin of mcptest, if granted.
func (w *Workbench) stdin() (io.Reader, error) {
	if !w.Grants.Stdin {
		return nil, notGranted("read stdin")
	}
	return os.Stdin, nil
}

// variable returns an environment variable of the user, if granted.
func (w *Workbench) variable(name string) (string, bool) {
	if !w.Grants.Environment {
		return "", false
	}
	return w.System.Lookup(name)
}

// onlyGranted rejects an input that sets a field for the command line, or for the user, if that is not granted.
// Surfaces do not offer such fields; this is a second line of defense. Durations are limits that a surface sets
// itself.
func (w *Workbench) onlyGranted(in reflect.Value) error {
	if w.Grants.Files {
		return nil
	}
	for i := range in.NumField() {
		f, value := in.Type().Field(i), in.Field(i)
		switch {
		case f.Anonymous && f.Type.Kind() == reflect.Struct:
			if err := w.onlyGranted(value); err != nil {
				return err
			}
		case (f.Tag.Get("surface") == "cli" || f.Tag.Get("surface") == "user" && !w.Grants.UnsafeTools) && value.Kind() != reflect.Int64 && !value.IsZero():
			return notGranted("set " + strings.TrimSuffix(f.Tag.Get("json"), ",omitempty"))
		}
	}
	return nil
}
