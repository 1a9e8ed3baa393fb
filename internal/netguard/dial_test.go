package netguard

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
)

func TestCheckAddr(t *testing.T) {
	const open, private, closed = "open", "private", "closed"
	for address, want := range map[string]string{
		"8.8.8.8": open, "1.1.1.1": open, "172.15.255.255": open, "172.32.0.0": open, "100.63.255.255": open,
		"100.128.0.0":     open,
		"2606:4700::1111": open, "2a00:1450:4001::1": open, "::ffff:8.8.8.8": open, "198.17.255.255": open,
		"223.255.255.255": open,

		"10.0.0.1": private, "127.0.0.1": private, "127.255.255.254": private, "172.16.0.1": private,
		"172.31.255.255": private,
		"192.168.0.1":    private, "100.64.0.1": private, "::1": private, "fd12::1": private, "fc00::": private,
		"::ffff:10.0.0.1":  private,
		"::ffff:127.0.0.1": private,

		"0.0.0.0": closed, "0.1.2.3": closed, "169.254.169.254": closed, "192.0.0.1": closed, "192.0.2.1": closed,
		"192.88.99.1": closed,
		"198.18.0.1":  closed, "198.19.255.255": closed, "198.51.100.1": closed, "203.0.113.1": closed,
		"224.0.0.1":       closed,
		"239.255.255.255": closed, "240.0.0.1": closed, "255.255.255.255": closed, "100.100.100.200": closed,
		"168.63.129.16": closed, "::ffff:168.63.129.16": closed,
		"::": closed, "64:ff9b::a9fe:a9fe": closed, "64:ff9b:1::1": closed, "100::1": closed, "2001::1": closed,
		"2001:2::1":   closed,
		"2001:db8::1": closed, "2002:7f00:1::": closed, "3fff::1": closed, "5f00::1": closed, "fe80::1": closed,
		"fe80::1%eth0": closed,
		"fec0::1":      closed, "ff02::1": closed, "fd00:ec2::254": closed, "::7f00:1": closed,
		"::ffff:169.254.169.254": closed, "4000::1": closed,
	} {
		ip := netip.MustParseAddr(address)
		got := open
		var blocked *BlockedError
		if errors.As(CheckAddr(ip, false), &blocked) {
			got = closed
			if CheckAddr(ip, true) == nil {
				got = private
			}
			if blocked.Private != (got == private) || blocked.Rule == "" {
				t.Errorf("%s: error %+v, want Private as it behaves and a rule", address, blocked)
			}
		}
		if got != want {
			t.Errorf("%s is %s, want %s", address, got, want)
		}
	}
}

func TestDialerBlocks(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	address := server.Listener.Addr().String()
	conn, err := Dialer(nil).Dial("tcp", address)
	var blocked *BlockedError
	if !errors.As(err, &blocked) || !strings.Contains(err.Error(), "127.0.0.0/8 (loopback)") {
		t.Errorf("Dial(%s) = %v, %v; want it blocked by 127.0.0.0/8", address, conn, err)
	}
	conn, err = Dialer(&DialOptions{AllowPrivate: true}).Dial("tcp", address)
	if err != nil {
		t.Fatalf("with AllowPrivate: %v", err)
	}
	conn.Close()
	if _, err := Dialer(&DialOptions{AllowPrivate: true}).Dial("udp", address); !errors.As(err, &blocked) {
		t.Errorf("UDP: %v, want it blocked", err)
	}
}

func TestClientBlocksSpellings(t *testing.T) {
	client := Client(nil)
	for _, address := range []string{
		"http://127.0.0.1:1/", "http://[::1]:1/", "http://[::ffff:7f00:1]:1/", "http://localhost:1/",
		"http://user@127.0.0.1:1/",
		"http://example.com@169.254.169.254/", "http://169.254.169.254:80/", "http://[::ffff:a9fe:a9fe]/",
		"http://0.0.0.0:1/",
	} {
		answer, err := client.Get(address)
		var blocked *BlockedError
		if !errors.As(err, &blocked) {
			t.Errorf("Get(%s) = %v, %v; want it blocked", address, answer, err)
		}
	}
}

// A name that first resolves to a global address, when somebody checks it, and then to a private one.
func TestDialerDNSFlip(t *testing.T) {
	var asked atomic.Int32
	resolver := fakeResolver(t, func() netip.Addr {
		if asked.Add(1) == 1 {
			return netip.MustParseAddr("93.184.216.34")
		}
		return netip.MustParseAddr("127.0.0.1")
	})
	first, err := resolver.LookupNetIP(context.Background(), "ip4", "flip.example")
	if err != nil || CheckAddr(first[0].Unmap(), false) != nil {
		t.Fatalf("the check saw %v, %v; want a global address", first, err)
	}
	_, err = Dialer(&DialOptions{Resolver: resolver}).Dial("tcp4", "flip.example:80")
	var blocked *BlockedError
	if !errors.As(err, &blocked) {
		t.Errorf("Dial after the flip: %v, want it blocked", err)
	}
}

func TestClientRedirects(t *testing.T) {
	var got http.Header
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter,
		r *http.Request) {
		got = r.Header.Clone()
	}))
	defer other.Close()
	mux := http.NewServeMux()
	mux.Handle("/away", http.RedirectHandler(other.URL, http.StatusTemporaryRedirect))
	mux.Handle("/metadata", http.RedirectHandler("http://169.254.169.254/latest", http.StatusFound))
	for i := range 3 {
		mux.Handle(fmt.Sprintf("/hop%d", i), http.RedirectHandler(fmt.Sprintf("/hop%d", i+1), http.StatusFound))
	}
	mux.HandleFunc("/hop3", func(http.ResponseWriter, *http.Request) {})
	mux.Handle("/fourth", http.RedirectHandler("/hop0", http.StatusFound))
	mux.Handle("/loop", http.RedirectHandler("/loop", http.StatusFound))
	mux.Handle("/file", http.RedirectHandler("file:///etc/passwd", http.StatusFound))
	mux.HandleFunc("/here", func(w http.ResponseWriter,
		r *http.Request) {
		http.Redirect(w, r, "/seen", http.StatusFound)
	})
	mux.HandleFunc("/seen", func(_ http.ResponseWriter, r *http.Request) { got = r.Header.Clone() })
	server := httptest.NewServer(mux)
	defer server.Close()

	get := func(path string) error {
		r, _ := http.NewRequest(http.MethodGet, server.URL+path, nil)
		r.Header.Set("Authorization", "Bearer canary")
		r.Header.Set("X-Api-Key", "canary")
		r.Header.Set("Accept", "application/json")
		answer, err := Client(&DialOptions{AllowPrivate: true}).Do(r)
		if err == nil {
			answer.Body.Close()
		}
		return err
	}
	if err := get("/here"); err != nil || got.Get("X-Api-Key") != "canary" {
		t.Errorf("redirect on one origin: %v, header %v; want the credentials kept", err, got)
	}
	if err := get("/away"); err != nil || got.Get("X-Api-Key") != "" || got.Get("Authorization") != "" ||
		got.Get("Accept") == "" {
		t.Errorf("redirect to another origin: %v, header %v; want only harmless ones", err, got)
	}
	var blocked *BlockedError
	if err := get("/metadata"); !errors.As(err, &blocked) {
		t.Errorf("redirect to the metadata service: %v, want it blocked", err)
	}
	if err := get("/loop"); err == nil || !strings.Contains(err.Error(), "3 redirects") {
		t.Errorf("redirect loop: %v, want it stopped after 3", err)
	}
	if err := get("/hop0"); err != nil {
		t.Errorf("three redirects: %v, want them followed", err)
	}
	if err := get("/fourth"); err == nil {
		t.Error("a fourth redirect was followed")
	}
	if err := get("/file"); err == nil {
		t.Error("a redirect to a file was followed")
	}
}

// A redirect from https to http would show the request to everyone on the way, whatever the host.
func TestClientStaysEncrypted(t *testing.T) {
	reached := false
	plain := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer plain.Close()
	secure := httptest.NewTLSServer(http.RedirectHandler(plain.URL, http.StatusFound))
	defer secure.Close()
	client := Client(&DialOptions{AllowPrivate: true})
	client.Transport.(*http.Transport).TLSClientConfig = secure.Client().Transport.(*http.Transport).TLSClientConfig
	answer, err := client.Get(secure.URL)
	if err == nil {
		answer.Body.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "redirect from https to http") || reached {
		t.Errorf("%v, reached: %v; want the redirect refused", err, reached)
	}
}

// fakeResolver asks a DNS server in this process, which answers every question for an IPv4 address.
func fakeResolver(t *testing.T, answer func() netip.Addr) *net.Resolver {
	t.Helper()
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	go func() {
		buffer := make([]byte, 1500)
		for {
			n, from, err := server.ReadFrom(buffer)
			if err != nil {
				return
			}
			_, _ = server.WriteTo(dnsAnswer(buffer[:n], answer), from)
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", server.LocalAddr().String())
	}}
}

func dnsAnswer(query []byte, answer func() netip.Addr) []byte {
	end := 12
	for query[end] != 0 {
		end += int(query[end]) + 1
	}
	question := query[12 : end+5]
	reply := append([]byte{query[0], query[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, question...)
	if binary.BigEndian.Uint16(question[len(question)-4:]) != 1 { // not a question for an A record
		return reply
	}
	reply[7] = 1
	ip := answer().As4()
	return append(append(reply, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4), ip[:]...)
}
