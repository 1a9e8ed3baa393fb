package netguard

import (
	"net"
	"slices"
	"testing"
)

func TestLoopback(t *testing.T) {
	for address, want := range map[string]string{
		"127.0.0.1:6280":          "127.0.0.1:6280",
		"127.0.0.1:0":             "127.0.0.1:0",
		"127.8.9.10:1":            "127.8.9.10:1",
		"localhost:80":            "127.0.0.1:80",
		"LocalHost:80":            "127.0.0.1:80",
		"[::1]:65535":             "[::1]:65535",
		"[0:0:0:0:0:0:0:1]:1":     "[::1]:1",
		"[::ffff:127.0.0.1]:6280": "127.0.0.1:6280",
	} {
		if got, err := Loopback(address); got != want || err != nil {
			t.Errorf("Loopback(%q) = %q, %v; want %q", address, got, err, want)
		}
	}
	for _, address := range []string{
		"", ":", ":6280", "6280", "0.0.0.0:6280", "0:6280", "00:1", "0x0:6280", "[::]:6280", "[0::0]:1",
		"[::ffff:0:0]:6280",
		"[::ffff:0.0.0.0]:1", "::1:6280", "127.1:6280", "0x7f000001:6280", "2130706433:6280", "017700000001:6280",
		"127.0.0.01:6280",
		"１２７.0.0.1:6280", "１２７．０．０．１:6280", "①27.0.0.1:1", "127。0。0。1:1", "192.168.1.5:6280", "10.0.0.1:1",
		"[fe80::1%eth0]:1", "[::1%lo]:1",
		"localhost.:1", "localhost.evil.example:1", "example.com:1", " 127.0.0.1:1", "127.0.0.1 :1", "127.0.0.1:",
		"127.0.0.1:http",
		"127.0.0.1:-1", "127.0.0.1:65536", "127.0.0.1:+1", "127.0.0.1:01", "127.0.0.1:１", "*:6280",
		"169.254.169.254:80", "[::127.0.0.1]:1",
	} {
		if got, err := Loopback(address); err == nil {
			t.Errorf("Loopback(%q) = %q, want an error", address, got)
		}
	}
}

func TestAddress(t *testing.T) {
	for address, want := range map[string]string{"0.0.0.0:80": "0.0.0.0:80", "[::ffff:10.0.0.1]:1": "10.0.0.1:1",
		"192.168.1.5:6280": "192.168.1.5:6280"} {
		if got, err := Address(address); got != want || err != nil {
			t.Errorf("Address(%q) = %q, %v; want %q", address, got, err, want)
		}
	}
}

func TestHosts(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	hosts := Hosts(listener.Addr())
	if !slices.Contains(hosts, listener.Addr().String()) || len(hosts) != 3 {
		t.Errorf("Hosts(%v) = %q", listener.Addr(), hosts)
	}
	got := Hosts(&net.TCPAddr{IP: net.IPv4(10, 0, 0, 1), Port: 80})
	want := []string{"127.0.0.1:80", "127.0.0.1", "localhost:80", "localhost", "[::1]:80", "[::1]", "10.0.0.1:80",
		"10.0.0.1"}
	if !slices.Equal(got, want) {
		t.Errorf("Hosts = %q, want %q", got, want)
	}
}
