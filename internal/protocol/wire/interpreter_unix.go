//go:build unix

package wire

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
)

// shebangSize is how much of a script's first line the system reads.
const shebangSize = 256

// findInterpreter returns an error if the interpreter of a script is missing. The system would report that the
// script itself does not exist.
func findInterpreter(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return nil // a program may be executable but not readable
	}
	defer file.Close()
	head, _ := io.ReadAll(io.LimitReader(file, shebangSize))
	line, ok := bytes.CutPrefix(head, []byte("#!"))
	if !ok {
		return nil
	}
	line, _, _ = bytes.Cut(line, []byte("\n"))
	name, _, _ := bytes.Cut(bytes.TrimLeft(line, " \t"), []byte(" "))
	name, _, _ = bytes.Cut(name, []byte("\t"))
	if !filepath.IsAbs(string(name)) {
		return nil
	}
	if _, err := os.Stat(string(name)); os.IsNotExist(err) {
		return &InterpreterError{Interpreter: string(name)}
	}
	return nil
}
