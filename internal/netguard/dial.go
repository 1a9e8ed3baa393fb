package netguard

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"

	"github.com/mcptest-dev/mcptest/internal/redirect"
)

// DialOptions define which addresses may be reached in addition to the global ones.
type DialOptions struct {
	// also loopback and private networks; link-local and reserved ones stay blocked
	AllowPrivate bool
	Allow        func(netip.AddrPort) bool // private addresses to allow; nil means none
	Resolver     *net.Resolver             // nil means the system resolver
}

// A BlockedError names the rule that blocked a connection.
type BlockedError struct {
	Address string         // the address to dial
	Rule    string         // the range that contains it
	Private bool           // AllowPrivate would allow it
	Target  netip.AddrPort // the address and port; zero if there is no port
}

// Error returns the address and the rule that blocked it.
func (e *BlockedError) Error() string {
	return fmt.Sprintf("connection to %s blocked: %s", e.Address, e.Rule)
}

// Dialer returns a dialer that checks the resolved address immediately before it connects, so that DNS rebinding
// between a check and its use has no effect. It is for addresses that come from a server; addresses typed by the user
// are trusted.
func Dialer(o *DialOptions) *net.Dialer {
	if o == nil {
		o = &DialOptions{}
	}
	options := *o
	return &net.Dialer{
		Timeout:  10 * time.Second,
		Resolver: o.Resolver,
		Control: func(network, address string, _ syscall.RawConn) error {
			return checkDial(network, address, options)
		},
	}
}

func checkDial(network, address string, o DialOptions) error {
	if network != "tcp4" && network != "tcp6" {
		return &BlockedError{Address: address, Rule: "network " + network + " is not TCP"}
	}
	target, err := netip.ParseAddrPort(address)
	if err != nil {
		return &BlockedError{Address: address, Rule: "not an IP address and port"}
	}
	if target.Port() == 0 {
		return &BlockedError{Address: address, Rule: "port 0"}
	}
	allowed := o.AllowPrivate || o.Allow != nil && o.Allow(target)
	err = CheckAddr(target.Addr(), allowed)
	var blocked *BlockedError
	if errors.As(err, &blocked) {
		blocked.Target = target
	}
	return err
}

// CheckAddr returns a *BlockedError unless the address is global, or private and private ones are allowed.
func CheckAddr(ip netip.Addr, allowPrivate bool) error {
	plain := ip.Unmap().WithZone("")
	for _, r := range ranges {
		if r.prefix.Contains(plain) {
			if r.private && allowPrivate {
				return nil
			}
			return &BlockedError{Address: ip.String(), Rule: r.prefix.String() + " (" + r.use + ")", Private: r.private}
		}
	}
	if plain.Is6() && !globalUnicast.Contains(plain) {
		return &BlockedError{Address: ip.String(), Rule: "outside " + globalUnicast.String() + " (not assigned)"}
	}
	return nil
}

// Client returns an HTTP client with a guarded dialer. It uses no proxy, which would connect on its behalf, follows few
// redirects, and sends credentials to no other origin.
func Client(o *DialOptions) *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			DialContext:            Dialer(o).DialContext,
			ForceAttemptHTTP2:      true,
			TLSHandshakeTimeout:    10 * time.Second,
			ResponseHeaderTimeout:  30 * time.Second,
			MaxResponseHeaderBytes: 32 << 10,
			IdleConnTimeout:        90 * time.Second,
		},
		CheckRedirect: redirect.WithoutCredentials,
	}
}
