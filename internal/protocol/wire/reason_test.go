package wire

import (
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/url"
	"os"
	"os/exec"
	"syscall"
	"testing"
)

func TestReason(t *testing.T) {
	dial := func(err error) error { return &net.OpError{Op: "dial", Net: "tcp", Err: err} }
	for want, err := range map[string]error{
		"connection refused": dial(os.NewSyscallError("connect",
			syscall.ECONNREFUSED)),
		"connecting timed out": dial(os.ErrDeadlineExceeded),
		`cannot resolve the host name "host.invalid"`: dial(&net.DNSError{Err: "no such host",
			Name: "host.invalid", Server: "10.0.0.2:53"}),
		"the certificate is signed by an unknown authority": fmt.Errorf("tls: %w",
			x509.UnknownAuthorityError{}),
		"the certificate is expired or not valid yet": x509.CertificateInvalidError{Reason: x509.Expired},
		"the response is not TLS": errors.New("http: server gave HTTP " +
			"response to HTTPS client"),
		"the response is not HTTP": errors.New(`net/http: HTTP/1.x transport ` +
			`connection broken: malformed HTTP response "SSH-2.0"`),
		"the server closed the connection without a response": &url.Error{Op: "Post",
			URL: "http://host/mcp", Err: io.EOF},
		"the server closed the connection before the end of the response": fmt.Errorf("read: %w", io.ErrUnexpectedEOF),
		"executable not found in PATH": &exec.Error{Name: "srv",
			Err: exec.ErrNotFound},
		"no such file or directory": &fs.PathError{Op: "stat", Path: "./srv",
			Err: syscall.ENOENT},
		"outcome unknown (connection refused)": fmt.Errorf("%w (%w)", errors.New("outcome unknown"),
			dial(os.NewSyscallError("connect", syscall.ECONNREFUSED))),
		"the response headers exceed 32 KiB": errors.New("net/http: HTTP/1.x transport connection broken: net/http: " +
			"server response headers exceeded 32768 bytes; aborted"),
		"proxy proxy.example:3128: connection refused": &ProxyError{Proxy: "proxy.example:3128",
			Err: dial(os.NewSyscallError("connect", syscall.ECONNREFUSED))},
		"timeout awaiting response headers": errors.New("net/http: timeout awaiting response headers"),
	} {
		if got := reason(err); got != want {
			t.Errorf("reason(%v) = %q, want %q", err, got, want)
		}
	}
}
