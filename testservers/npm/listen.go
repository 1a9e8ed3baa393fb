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

// Listen starts a server that listens on a port that it is told, and returns its base URL. Between the choice of a port and
// the start somebody else may take it: then the server exits, and is started again on another.
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

// listens waits until somebody listens; it is false if the server has exited.
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
	t.Fatalf("nobody listens on %s", address)
	return false
}

// given are the ports that were given out: one that nobody listens on yet must not be given to another.
var given sync.Map

// freePort finds a port on which nobody listens, below those that systems give to whoever asks for any.
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
