//go:build unix

package wire

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
)

// shebangSize is how much of a script's first line the system looks at.
const shebangSize = 256

// findInterpreter tells whether the interpreter that a script names is missing. The system would say of the script
// itself that there is no such file.
func findInterpreter(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return nil // a program can be run that cannot be read
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
