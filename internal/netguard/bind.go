package netguard

import (
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// Loopback validates a listen address and returns it in canonical form. It rejects addresses that other machines could
// reach.
func Loopback(address string) (string, error) {
	canonical, err := Address(address)
	if err != nil {
		return "", err
	}
	if !netip.MustParseAddrPort(canonical).Addr().IsLoopback() {
		return "", fmt.Errorf("listen address %q is not loopback; use 127.0.0.1, [::1] or localhost", address)
	}
	return canonical, nil
}

// Address returns a listen address in canonical form: an IP address and a port, or localhost, which means 127.0.0.1. It
// rejects forms that some resolvers expand and users overlook: 0, 0x7f.1, 127.1, fullwidth digits, an empty host.
func Address(address string) (string, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return "", fmt.Errorf("listen address %q: expected host:port, such as 127.0.0.1:6280", address)
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil || strconv.FormatUint(number, 10) != port {
		return "", fmt.Errorf("listen address %q: port %q, expected a number from 0 to 65535", address, port)
	}
	if strings.EqualFold(host, "localhost") {
		host = "127.0.0.1"
	}
	ip, err := netip.ParseAddr(host)
	if err != nil || ip.Zone() != "" {
		return "", fmt.Errorf("listen address %q: host %q, expected a complete IP address or localhost", address, host)
	}
	return netip.AddrPortFrom(ip.Unmap(), uint16(number)).String(), nil
}

// Hosts lists the Host values that local clients may use to reach a listener at this address.
func Hosts(address net.Addr) []string {
	_, port, err := net.SplitHostPort(address.String())
	if err != nil {
		return nil
	}
	names := []string{"127.0.0.1", "localhost", "::1"}
	if ip, err := netip.ParseAddrPort(address.String()); err == nil && !ip.Addr().IsUnspecified() {
		if own := ip.Addr().Unmap().String(); own != "127.0.0.1" && own != "::1" {
			names = append(names, own)
		}
	}
	var hosts []string
	for _, name := range names {
		hosts = append(hosts, net.JoinHostPort(name, port))
		if port == "80" { // browsers omit the default port
			hosts = append(hosts, strings.TrimSuffix(net.JoinHostPort(name, port), ":80"))
		}
	}
	return hosts
}
