package wire

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// reason describes why a server could not be reached: the errors of Go's packages contain the names of functions and
// system calls, which mean nothing to most users.
func reason(err error) string {
	var dns *net.DNSError
	var address *net.AddrError
	var record tls.RecordHeaderError
	var file *fs.PathError
	var number syscall.Errno
	var proxy *ProxyError
	several, _ := err.(interface{ Unwrap() []error })
	switch {
	case err == nil:
		return "unknown error"
	case errors.As(err, &proxy):
		return proxy.Error()
	case several != nil:
		text := err.Error()
		for _, part := range several.Unwrap() {
			text = strings.ReplaceAll(text, part.Error(), reason(part))
		}
		return text
	case errors.As(err, &dns):
		return fmt.Sprintf("cannot resolve the host name %q", dns.Name)
	case errors.As(err, &record), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return "the response is not TLS"
	case isOtherProtocol(err):
		return "the response is not HTTP"
	case certificateReason(err) != "":
		return certificateReason(err)
	case errors.Is(err, exec.ErrNotFound):
		return "executable not found in PATH"
	case isNetwork(err) && errors.Is(err, os.ErrDeadlineExceeded):
		return "connecting timed out"
	case isNetwork(err) && errors.As(err, &number):
		return number.Error()
	case errors.As(err, &address):
		return address.Err
	case errors.As(err, &file):
		return file.Err.Error()
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "the server closed the connection before the end of the response"
	case errors.Is(err, io.EOF):
		return "the server closed the connection without a response"
	}
	return reworded(unwrapped(err))
}

// reworded replaces the texts of Go's HTTP package for which there is no type.
func reworded(text string) string {
	switch {
	case strings.Contains(text, "server response headers exceeded"):
		return "the response headers exceed 32 KiB"
	case strings.Contains(text, "server closed idle connection"):
		return "the server closed the connection without a response"
	case text == "TLS handshake timeout":
		return "no response to the TLS handshake within 10 seconds"
	}
	return text
}

// certificateReason describes why a certificate is not accepted; "" if that is not the problem.
func certificateReason(err error) string {
	var unknown x509.UnknownAuthorityError
	var hostname x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(err, &unknown):
		return "the certificate is signed by an unknown authority"
	case errors.As(err, &hostname):
		return fmt.Sprintf("the certificate is not for the host %q", hostname.Host)
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "the certificate is expired or not valid yet"
	}
	return ""
}

// isOtherProtocol reports whether a program sent something else than HTTP, after or even before the request. Go's
// package has no type for these errors.
func isOtherProtocol(err error) bool {
	return err != nil && (strings.Contains(err.Error(), "malformed HTTP") ||
		strings.Contains(err.Error(), "readLoopPeekFail"))
}

func isNetwork(err error) bool {
	var op *net.OpError
	return errors.As(err, &op)
}

// unwrapped returns the text of an error without the requests and functions that Go's packages prepend.
func unwrapped(err error) string {
	var request *url.Error
	if errors.As(err, &request) {
		err = request.Err
	}
	text := err.Error()
	for _, prefix := range []string{"net/http: ", "tls: ", "x509: "} {
		text = strings.TrimPrefix(text, prefix)
	}
	return text
}
