package workbench

import (
	"io"
	"os"
	"reflect"
	"strings"
)

// Grants are what an operation may use of the user's machine. The zero value grants nothing: a surface grants each
// capability explicitly, and the command line is the only one that grants them all.
type Grants struct {
	Files       bool // read and write the files that inputs name
	Stdin       bool // read the standard input of mcptest
	Environment bool // read variables of the user's environment
	Processes   bool // start the program that an input names
	Private     bool // connect to loopback and private addresses
	Disruptive  bool // send load and malformed frames to a server that is not on this machine
	UnsafeTools bool // call tools in bulk that are not safe, or cost money (see internal/safety)
}

// What each surface grants. An assistant's operations get none of it: see Desk.Bench.
var (
	CommandLine   = Grants{Files: true, Stdin: true, Environment: true, Processes: true, Private: true, Disruptive: true, UnsafeTools: true}
	ForPage       = Grants{Disruptive: true, UnsafeTools: true} // servers are approved one by one
	ForAssistants = Grants{}
)

// notGranted is the error of an operation that needs what its surface does not grant.
func notGranted(what string) error {
	return &UsageError{Message: "only the command line may " + what, Hint: "let the user run the command in a terminal"}
}

// mayUseFiles returns an error if no file may be read or written.
func (w *Workbench) mayUseFiles() error {
	if w.Grants.Files {
		return nil
	}
	return notGranted("read or write files")
}

// readFile reads a file that an input names, within the grants.
func (w *Workbench) readFile(path string) ([]byte, error) {
	if err := w.mayUseFiles(); err != nil {
		return nil, err
	}
	return readFile(path)
}

// writeFile writes a file that an input names, within the grants.
func (w *Workbench) writeFile(path string, data []byte) error {
	if err := w.mayUseFiles(); err != nil {
		return err
	}
	return writeFile(path, data)
}

// stdin returns the standard input of mcptest, within the grants.
func (w *Workbench) stdin() (io.Reader, error) {
	if !w.Grants.Stdin {
		return nil, notGranted("read standard input")
	}
	return os.Stdin, nil
}

// variable returns a variable of the user's environment, within the grants.
func (w *Workbench) variable(name string) (string, bool) {
	if !w.Grants.Environment {
		return "", false
	}
	return w.System.Lookup(name)
}

// onlyGranted refuses an input that sets a field for the command line, or for the user, where that is not granted. Surfaces
// offer no such field; this holds even if one does. Times are bounds that a surface sets itself.
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
