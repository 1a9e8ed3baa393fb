package diagnose

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
	"syscall"
	"time"
)

// remote diagnoses an HTTP server.
func (w *walk) remote(ctx context.Context) *problem {
	u, err := url.Parse(w.target.URL)
	if err != nil {
		return because("correct the URL in the entry", "the URL is invalid")
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	if proxied(u, w.in.System.Environ) {
		return w.session(ctx) // the proxy resolves and connects
	}
	var conn net.Conn
	failed := w.step(ctx, "DNS", func(ctx context.Context) (string, *problem) { return resolve(ctx, u.Hostname()) })
	if failed == nil {
		failed = w.step(ctx, "connection", func(ctx context.Context) (detail string, failed *problem) {
			conn, failed = connect(ctx, u.Hostname(), port)
			return net.JoinHostPort(u.Hostname(), port), failed
		})
	}
	if failed != nil {
		return failed
	}
	defer conn.Close()
	if u.Scheme == "https" {
		failed = w.step(ctx, "TLS", func(ctx context.Context) (string, *problem) {
			return handshake(ctx, conn, u.Hostname())
		})
		if failed != nil {
			return failed
		}
	}
	return w.session(ctx)
}

// proxied reports whether a proxy is configured for a URL.
func proxied(u *url.URL, environ []string) bool {
	name := strings.ToUpper(u.Scheme) + "_PROXY"
	for _, n := range []string{name, strings.ToLower(name)} {
		if variable(environ, n) != "" && u.Hostname() != "localhost" && net.ParseIP(u.Hostname()) == nil {
			return true
		}
	}
	return false
}

// networkTimeout is the limit of one step of a connection.
const networkTimeout = 10 * time.Second

func resolve(ctx context.Context, host string) (string, *problem) {
	ctx, cancel := context.WithTimeout(ctx, networkTimeout)
	defer cancel()
	addresses, err := net.DefaultResolver.LookupHost(ctx, host)
	if err != nil {
		return "", because("correct the host name in the URL, or connect to the network",
			"the host name %q cannot be resolved", host)
	}
	return strings.Join(addresses, ", "), nil
}

func connect(ctx context.Context, host, port string) (net.Conn, *problem) {
	dialer := net.Dialer{Timeout: networkTimeout}
	conn, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort(host, port))
	switch {
	case err == nil:
		return conn, nil
	case errors.Is(err, syscall.ECONNREFUSED):
		return nil, because("start the server, or correct the port in the URL",
			"nothing listens on port %s of %s: connection refused", port, host)
	case errors.Is(err, os.ErrDeadlineExceeded), ctx.Err() != nil:
		return nil, because("check the address, and the firewall", "port %s of %s does not respond within %s", port, host,
			networkTimeout)
	}
	var number syscall.Errno
	if errors.As(err, &number) {
		return nil, because("check the network connection", "cannot connect to port %s of %s: %s", port, host, number.Error())
	}
	return nil, because("check the network connection", "cannot connect to port %s of %s", port, host)
}

// handshake checks TLS with the trust store of the system.
func handshake(ctx context.Context, conn net.Conn, host string) (string, *problem) {
	ctx, cancel := context.WithTimeout(ctx, networkTimeout)
	defer cancel()
	client := tls.Client(conn, &tls.Config{ServerName: host, NextProtos: []string{"h2", "http/1.1"}})
	err := client.HandshakeContext(ctx)
	var name x509.HostnameError
	var unknown x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var record tls.RecordHeaderError
	switch {
	case err == nil:
		return tls.VersionName(client.ConnectionState().Version), nil
	case errors.As(err, &name):
		names := append([]string{}, name.Certificate.DNSNames...)
		for _, ip := range name.Certificate.IPAddresses {
			names = append(names, ip.String())
		}
		return "", because("use a host name of the certificate in the URL, or a certificate for this name",
			"the TLS certificate is not for the host name %q", host).
			with("names of the certificate: " + strings.Join(names, ", "))
	case errors.As(err, &unknown):
		return "", because("use a certificate of a trusted CA, or add its CA to the trust store of the client",
			"the TLS certificate is not trusted: its issuer is unknown").with(issuer(unknown.Cert))
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "", because("renew the certificate", "the TLS certificate is not valid now").
			with(fmt.Sprintf("valid from %s to %s", invalid.Cert.NotBefore.Format(time.DateOnly),
				invalid.Cert.NotAfter.Format(time.DateOnly)))
	case errors.As(err, &record):
		return "", because("write http:// instead of https://, or the port that has TLS",
			"the server does not use TLS on this port, but the URL begins with https://")
	}
	return "", because("check the certificate and the TLS settings of the server", "the TLS handshake fails").
		with(strings.TrimPrefix(strings.TrimPrefix(err.Error(), "remote error: "), "tls: "))
}

func issuer(cert *x509.Certificate) string {
	if cert == nil {
		return ""
	}
	return "issuer: " + cert.Issuer.String()
}
