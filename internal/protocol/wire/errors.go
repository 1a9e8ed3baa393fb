package wire

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"syscall"

	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/redirect"
)

// An Error reports that a server could not be reached, disconnected, or sent something that is not a message
// stream. It is never about the content of a message.
type Error struct {
	Target string    // the target
	Doing  string    // what was being done: "start", "connect", "send"
	Err    error     // what happened
	Hint   hint.Text // what to try next
	Stderr string    // the last stderr output of the process
	Unsent bool      // the server cannot have seen the message, or rejected it unread
}

// Error returns the target, what was being done and what happened, in one line.
func (e *Error) Error() string {
	why := reason(e.Err)
	if file := fileOf(e.Err); !strings.Contains(e.Target, file) {
		why = file + ": " + why // the target is the name of a configured server
	}
	return fmt.Sprintf("%s %s: %s", e.Doing, e.Target, why)
}

// Reason returns what happened, without the target and what was being done: for texts that name these.
func Reason(err error) string {
	var e *Error
	if !errors.As(err, &e) {
		return err.Error()
	}
	return reason(e.Err)
}

// fileOf returns the file or program that an error is about; empty if there is none.
func fileOf(err error) string {
	var file *fs.PathError
	var program *exec.Error
	switch {
	case errors.As(err, &file):
		return file.Path
	case errors.As(err, &program):
		return program.Name
	}
	return ""
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// An ExitError reports how a server process ended.
type ExitError struct {
	Code   int            // exit status, -1 if a signal ended it
	Signal syscall.Signal // 0 if it exited by itself
}

// Error returns the exit status or the signal.
func (e *ExitError) Error() string {
	switch {
	case e.Signal != 0:
		return fmt.Sprintf("server killed by signal %d (%v)", int(e.Signal), e.Signal)
	case e.Code > 128 && e.Code < 128+65:
		return fmt.Sprintf("the server exited with status %d (signal %d, %v)", e.Code, e.Code-128,
			syscall.Signal(e.Code-128))
	}
	return fmt.Sprintf("the server exited with status %d", e.Code)
}

// An InterpreterError reports that the interpreter in the first line of a script does not exist.
type InterpreterError struct{ Interpreter string }

// Error returns the quoted interpreter, so that unusual characters in its name are visible.
func (e *InterpreterError) Error() string {
	return fmt.Sprintf("interpreter (#!) %q not found", e.Interpreter)
}

// Is makes an InterpreterError count as a file that does not exist.
func (e *InterpreterError) Is(target error) bool { return target == fs.ErrNotExist }

// A LimitError reports that a message exceeds the size limit.
type LimitError struct{ Limit int }

// Error returns the limit.
func (e *LimitError) Error() string {
	return fmt.Sprintf("the message exceeds the limit of %d MiB", e.Limit>>20)
}

var errStdoutClosed = errors.New("server closed stdout but is still running")

// ErrCut is the error of a stream that we closed ourselves.
var ErrCut = errors.New("the client closed the stream")

// hintOf returns what a user can do about a failure to reach a server.
func hintOf(err error) hint.Text {
	var dns *net.DNSError
	var record tls.RecordHeaderError
	var unknown x509.UnknownAuthorityError
	var hostname x509.HostnameError
	var interpreter *InterpreterError
	var exit *ExitError
	var refused *redirect.Error
	var knows interface{ Hint() hint.Text }
	switch {
	case errors.As(err, &knows):
		return knows.Hint()
	case errors.As(err, &interpreter) && strings.HasSuffix(interpreter.Interpreter, "\r"):
		return "the script has CR LF line endings: save it with LF"
	case errors.As(err, &interpreter):
		return "install the interpreter, or correct the first line of the script"
	case errors.As(err, &exit):
		return "run the command in a shell to see the error; pass variables with {--env} NAME=value"
	case errors.Is(err, syscall.ENOEXEC):
		return "the file is not executable on this system; a script needs a first line such as #!/bin/sh"
	case errors.Is(err, exec.ErrNotFound):
		return "check that the program is installed and on PATH, or pass a path: -- ./server"
	case errors.Is(err, syscall.ENOENT):
		return "check the path of the program and {--cwd}"
	case errors.Is(err, syscall.EISDIR):
		return "pass the program inside the directory"
	case errors.Is(err, syscall.EACCES):
		return "make the file executable: chmod +x"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "check that the server is running and that the port is correct"
	case errors.As(err, &dns):
		return "check the spelling of the host name, and the network connection"
	case errors.As(err, &record):
		return "the server does not use TLS on that port: try http:// instead of https://"
	case errors.As(err, &unknown), errors.As(err, &hostname):
		return "the certificate is not trusted: add its CA to the system trust store, or pass {--insecure} for a " +
			"local test"
	case err != nil && strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return "the server does not use TLS on that port: try http:// instead of https://"
	case isOtherProtocol(err):
		return "the program on that port does not use HTTP: check the port"
	case errors.As(err, &refused):
		return "pass the URL of the MCP endpoint; if the server redirects to a login page, pass a token with {--header}"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "check the log of the server; {show messages}"
	case errors.Is(err, syscall.ECONNRESET): // many TLS servers drop a request without TLS unread
		return "check the log of the server, and whether it uses TLS on that port (https://); {show messages}"
	}
	return ""
}

// missingModuleHint returns what a user can do about a server that does not find a module: most often the command
// starts another interpreter than the one for which the module is installed.
func missingModuleHint(stderr string) hint.Text {
	switch {
	case strings.Contains(stderr, "ModuleNotFoundError: "):
		return "use the Python that has the module: -- .venv/bin/python server.py, or -- uv run server.py; " +
			"or install the module there"
	case strings.Contains(stderr, "Error: Cannot find module '/"), strings.Contains(stderr, "Cannot find module '.."):
		return "check the path; if the file is the output of a build, build the server first: npm install, npm run build"
	case strings.Contains(stderr, "Error: Cannot find module '"), strings.Contains(stderr, "Cannot find package '"):
		return "run npm install in the folder of the server"
	}
	return ""
}

// A StatusError is an HTTP status without a JSON-RPC message.
type StatusError struct {
	Status int
	Header http.Header
	Body   []byte
}

// Error returns the status and the beginning of the body.
func (e *StatusError) Error() string {
	text := fmt.Sprintf("HTTP %d %s", e.Status, http.StatusText(e.Status))
	body := strings.Join(strings.Fields(string(e.Body[:min(len(e.Body), 400)])), " ")
	if body == "" || body == http.StatusText(e.Status) {
		return text
	}
	kind, _, _ := mime.ParseMediaType(e.Header.Get("Content-Type"))
	switch kind {
	case "":
	case "text/html":
		return text + ", a web page" // its text would not help
	default:
		text += " (" + kind + ")"
	}
	return text + fmt.Sprintf(": %.200q", body)
}
