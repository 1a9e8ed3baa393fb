package guard

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"syscall"
	"time"
)

// maxRedirects is how many redirects a guarded client follows.
const maxRedirects = 3

// DialOptions say which addresses may be reached beyond the global ones.
type DialOptions struct {
	AllowPrivate bool                      // loopback and private networks too; link-local and reserved ones stay closed
	Allow        func(netip.AddrPort) bool // these of the private addresses; nil means none
	Resolver     *net.Resolver             // nil means the system's
}

// A BlockedError says which rule kept a connection from being made.
type BlockedError struct {
	Address string         // what was about to be dialled
	Rule    string         // the range that it lies in
	Private bool           // AllowPrivate would have let it through
	Target  netip.AddrPort // the address and port; zero if it has none
}

// Error names the address and the rule that keeps us from it.
func (e *BlockedError) Error() string {
	return fmt.Sprintf("connection to %s blocked: %s", e.Address, e.Rule)
}

// Dialer returns a dialer that looks at the address that a name resolved to, just before it connects. A name that
// resolves differently between a check and its use gains nothing that way. It is for addresses that came from a
// server; what the user typed is the user's word.
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

// CheckAddr returns a *BlockedError unless the address is global, or private and those are allowed.
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

// Client returns an HTTP client on a guarded dialer. It uses no proxy, which would connect on its behalf, follows few
// redirects, and takes credentials to no other origin.
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
		CheckRedirect: checkRedirect,
	}
}

func checkRedirect(next *http.Request, via []*http.Request) error {
	if len(via) > maxRedirects {
		return fmt.Errorf("stopped after %d redirects", maxRedirects)
	}
	from := via[len(via)-1].URL
	switch {
	case next.URL.Scheme != "http" && next.URL.Scheme != "https":
		return fmt.Errorf("redirect to a %s address", next.URL.Scheme)
	case from.Scheme == "https" && next.URL.Scheme == "http":
		return errors.New("redirect from https to http")
	}
	if first := via[0].URL; first.Scheme != next.URL.Scheme || !strings.EqualFold(first.Host, next.URL.Host) {
		keepOnly(next.Header, "Accept", "Accept-Language", "Content-Type", "User-Agent")
	}
	return nil
}

func keepOnly(header http.Header, names ...string) {
	kept := make(http.Header, len(names))
	for _, name := range names {
		if values, found := header[name]; found {
			kept[name] = values
		}
	}
	clear(header)
	for name, values := range kept {
		header[name] = values
	}
}
