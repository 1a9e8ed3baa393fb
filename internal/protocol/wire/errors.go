package wire

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"syscall"
)

// An Error says that a server could not be reached, went away or could not be understood as a stream at all. It is
// never about what a message says.
type Error struct {
	Target string // who
	Doing  string // what was being done: "start", "connect", "send"
	Err    error  // what happened
	Hint   string // what to try next
	Stderr string // the last that the process wrote to its standard error
	Unsent bool   // the server cannot have seen the message, or refused to look at it
}

// Error names the target, what was being done and what happened, in one line.
func (e *Error) Error() string {
	return fmt.Sprintf("%s %s: %v", e.Doing, e.Target, e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// An ExitError says how a server's process ended.
type ExitError struct {
	Code   int            // exit status, -1 if a signal ended it
	Signal syscall.Signal // 0 if it exited by itself
}

// Error tells the exit status or the signal.
func (e *ExitError) Error() string {
	switch {
	case e.Signal != 0:
		return fmt.Sprintf("the server was ended by signal %d (%v)", int(e.Signal), e.Signal)
	case e.Code > 128 && e.Code < 128+65:
		return fmt.Sprintf("the server exited with status %d (signal %d, %v)", e.Code, e.Code-128, syscall.Signal(e.Code-128))
	}
	return fmt.Sprintf("the server exited with status %d", e.Code)
}

// An InterpreterError says that the program which a script's first line names is not there.
type InterpreterError struct{ Interpreter string }

// Error names the interpreter, so that an odd character in its name shows.
func (e *InterpreterError) Error() string {
	return fmt.Sprintf("its interpreter (#!) %q was not found", e.Interpreter)
}

// Is makes an InterpreterError count as a file that does not exist.
func (e *InterpreterError) Is(target error) bool { return target == fs.ErrNotExist }

// A LimitError says that a message was larger than we take in.
type LimitError struct{ Limit int }

// Error names the limit.
func (e *LimitError) Error() string {
	return fmt.Sprintf("the message is larger than the limit of %d MiB", e.Limit>>20)
}

var errStdoutClosed = errors.New("the server closed its standard output but keeps running")

// ErrCut is why a stream ended that we cut ourselves.
var ErrCut = errors.New("the stream was cut by the client")

// hint tells what a person can try against a failure to reach a server.
func hint(err error) string {
	var dns *net.DNSError
	var record tls.RecordHeaderError
	var unknown x509.UnknownAuthorityError
	var hostname x509.HostnameError
	var interpreter *InterpreterError
	var exit *ExitError
	var knows interface{ Hint() string }
	switch {
	case errors.As(err, &knows):
		return knows.Hint()
	case errors.As(err, &interpreter) && strings.HasSuffix(interpreter.Interpreter, "\r"):
		return "the script's lines end with CR LF: save it with LF alone"
	case errors.As(err, &interpreter):
		return "install the interpreter, or correct the first line of the script"
	case errors.As(err, &exit):
		return "run the command by hand to see why; --env NAME=value passes a variable on"
	case errors.Is(err, syscall.ENOEXEC):
		return "the file is no program for this system; a script needs a first line such as #!/bin/sh"
	case errors.Is(err, exec.ErrNotFound):
		return "is the program installed and in PATH? A path to it works too: -- ./server"
	case errors.Is(err, syscall.ENOENT):
		return "check the path of the program and --cwd"
	case errors.Is(err, syscall.EISDIR):
		return "name the program inside of it"
	case errors.Is(err, syscall.EACCES):
		return "is the file executable? chmod +x makes it so"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "nothing listens there: is the server running, and is the port right?"
	case errors.As(err, &dns):
		return "the host name cannot be resolved: check its spelling"
	case errors.As(err, &record):
		return "the server does not speak TLS on that port: try http:// instead of https://"
	case errors.As(err, &unknown), errors.As(err, &hostname):
		return "the certificate is not trusted: add its authority to the system's, or pass --insecure for a local test"
	case err != nil && strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return "the server does not speak TLS on that port: try http:// instead of https://"
	}
	return ""
}

// A StatusError is an HTTP status that cannot be part of a conversation.
type StatusError struct {
	Status int
	Header http.Header
	Body   []byte
}

// Error tells the status and the beginning of the body.
func (e *StatusError) Error() string {
	text := fmt.Sprintf("HTTP %d %s", e.Status, http.StatusText(e.Status))
	kind, _, _ := mime.ParseMediaType(e.Header.Get("Content-Type"))
	switch kind {
	case "":
	case "text/html":
		return text + ", a web page" // whose text would say no more
	default:
		text += " (" + kind + ")"
	}
	if body := strings.Join(strings.Fields(string(e.Body[:min(len(e.Body), 400)])), " "); body != "" {
		text += fmt.Sprintf(": %.200q", body)
	}
	return text
}
