package npm

import (
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"
	"time"
)

// Everything starts server-everything over HTTP, in the mode streamableHttp or sse, and returns its base URL.
func (in Install) Everything(t testing.TB, mode string, env ...string) string {
	t.Helper()
	return Listen(t, func(port int) *exec.Cmd {
		cmd := exec.Command(in.Node, in.Script("server-everything"), mode)
		cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "PORT=" + strconv.Itoa(port)}, env...)
		return cmd
	})
}

// Listen starts a server on a given port and returns its base URL. Another process may take the port before the server
// starts: then the server exits, and is started again on another port.
func Listen(t testing.TB, command func(port int) *exec.Cmd) string {
	t.Helper()
	for range 10 {
		port := freePort(t)
		cmd := command(port)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		exited := make(chan struct{})
		go func() { defer close(exited); _ = cmd.Wait() }()
		t.Cleanup(func() {
			_ = cmd.Process.Kill()
			<-exited
		})
		address := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
		if listens(t, address, exited) {
			return "http://" + address
		}
	}
	t.Fatal("the server exited on each of ten ports")
	return ""
}

// listens waits until a process listens; it returns false if the server has exited.
func listens(t testing.TB, address string, exited <-chan struct{}) bool {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			_ = conn.Close()
		}
		select {
		case <-exited:
			return false
		default:
		}
		if err == nil {
			return true
		}
	}
	t.Fatalf("no process listens on %s", address)
	return false
}

// given are the assigned ports: a port without a listener yet must not be assigned again.
var given sync.Map

// freePort finds a port without a listener, below the ephemeral range of the system.
func freePort(t testing.TB) int {
	t.Helper()
	for range 1000 {
		port := 10_000 + rand.IntN(20_000)
		if _, taken := given.LoadOrStore(port, true); taken {
			continue
		}
		if l, err := net.Listen("tcp", ":"+strconv.Itoa(port)); err == nil {
			_ = l.Close()
			return port
		}
	}
	t.Fatal("no free port")
	return 0
}
