//go:build unix

package tap

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire/supervise"
	"github.com/mcptest-dev/mcptest/internal/redact"
)

// The test binary is several programs: the tests, tap, the supervisor, and servers.
func TestMain(m *testing.M) {
	if len(os.Args) < 2 {
		os.Exit(m.Run())
	}
	switch os.Args[1] {
	case "__tap":
		os.Exit(asTap(os.Args[2], os.Args[3], os.Args[4:]))
	case "__tap_http":
		os.Exit(asHTTPTap(os.Args[2], os.Args[3]))
	case "__answer":
		answer(os.Stdin, os.Stdout, os.Stderr)
		os.Exit(0)
	// sends back what it receives; after the end of its input it cleans up for a while and says so in a file
	case "__cat":
		_, _ = io.Copy(os.Stdout, os.Stdin)
		if len(os.Args) > 2 {
			time.Sleep(300 * time.Millisecond)
			_ = os.WriteFile(os.Args[2], []byte("end of input"), 0o600)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// asTap is tap as a program, with a size limit of files.
func asTap(dir, limit string, command []string) int {
	if limit != "" {
		var bytes uint64
		_, _ = fmt.Sscan(limit, &bytes)
		_ = syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: bytes, Max: bytes})
	}
	self, _ := os.Executable()
	exit, err := Stdio(Options{Dir: dir, Version: "test", Command: command, Faults: faultsOf(os.Getenv("TAP_FAULTS")),
		Report: os.Stderr, Secrets: redact.New("correct horse battery")},
		wire.Target{Command: command, Env: os.Environ(), Supervisor: []string{self, supervise.Command}},
		Streams{os.Stdin, os.Stdout, os.Stderr})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 127
	}
	return exit.Code
}

// asHTTPTap is tap in front of a URL as a program. It prints its address.
func asHTTPTap(dir, address string) int {
	server, err := url.Parse(address)
	if err != nil {
		return 2
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 2
	}
	fmt.Println(listener.Addr())
	if HTTP(context.Background(), Options{Dir: dir, URL: address, Faults: faultsOf(os.Getenv("TAP_FAULTS"))}, listener,
		server) != nil {
		return 1
	}
	return 0
}

// tapped returns the command that runs a command through tap; it records into dir.
func tapped(t testing.TB, dir string, command ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), self(t), append([]string{"__tap", dir, ""}, command...)...)
	cmd.WaitDelay = 10 * time.Second
	return cmd
}

func self(t testing.TB) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// recorded returns the only session of a folder and its frames.
func recorded(t testing.TB, dir string) (*Session, []wire.Frame) {
	t.Helper()
	s, err := Find(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(FramesFile(dir, s.ID))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var frames []wire.Frame
	if err := wire.ReadTranscript(file, func(f wire.Frame) error {
		frames = append(frames,
			f)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return s, frames
}

// lines returns the bodies of one side, each with a newline.
func lines(frames []wire.Frame, from wire.Side, stream string) string {
	var out strings.Builder
	for _, f := range frames {
		if f.From == from && f.Stream == stream {
			out.Write(f.Body)
			out.WriteByte('\n')
		}
	}
	return out.String()
}

// eventually waits for a condition.
func eventually(t testing.TB, what string, condition func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !condition(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within a minute: %s", what)
		}
	}
}

// gone reports whether a process has exited, also if nobody has waited for it.
func gone(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	stat, err := os.ReadFile(filepath.Join("/proc", fmt.Sprint(pid), "stat"))
	return err == nil && strings.Contains(string(stat), ") Z ")
}
