package hostrun

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// isolatedPort is the port of the scripted model in a network namespace, in which nothing else listens.
const isolatedPort = 8080

// canIsolate returns why a host cannot be started without a network; nil if it can.
func canIsolate(self string) error {
	if command(self, insideCommand, "", strconv.Itoa(isolatedPort)).Run() != nil {
		return errors.New("the system does not allow user and network namespaces")
	}
	return nil
}

// command returns a command in its own network namespace. It may configure the loopback interface there.
func command(self string, args ...string) *exec.Cmd {
	cmd := exec.Command(self, args...)
	one := []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
	group := []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: one, GidMappings: group, AmbientCaps: []uintptr{unix.CAP_NET_ADMIN},
		Pdeathsig: syscall.SIGKILL}
	return cmd
}

// isolate starts the rest of the work in a network namespace.
func isolate(args []string) int {
	self, err := os.Executable()
	if err != nil {
		return failed(err)
	}
	runtime.LockOSThread() // the parent-death signal is tied to the thread
	cmd := command(self, append([]string{insideCommand}, args...)...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return exitStatus(cmd.Run())
}

// inside runs in the network namespace: it activates the loopback interface, passes connections to the scripted model
// on to a socket outside, and runs the host. Without a host it only tries the first.
func inside(args []string) int {
	socket, port, host := args[0], args[1], args[2:]
	if err := activateLoopback(); err != nil {
		return failed(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		return failed(err)
	}
	if len(host) == 0 {
		return 0
	}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go forward(conn, socket)
		}
	}()
	cmd := exec.Command(host[0], host[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return exitStatus(cmd.Run())
}

// forward passes a connection on to a socket.
func forward(conn net.Conn, socket string) {
	defer conn.Close()
	model, err := net.Dial("unix", socket)
	if err != nil {
		return
	}
	defer model.Close()
	go func() {
		_, _ = io.Copy(model, conn)
		_ = model.(*net.UnixConn).CloseWrite()
	}()
	_, _ = io.Copy(conn, model)
}

// activateLoopback activates the loopback interface, which is inactive in a new namespace.
func activateLoopback() error {
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(socket)
	request, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	request.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(socket, unix.SIOCSIFFLAGS, request)
}

func failed(err error) int {
	fmt.Fprintln(os.Stderr, "mcptest: cannot isolate the host:", err)
	return 125
}

func exitStatus(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit) && exit.ExitCode() >= 0:
		return exit.ExitCode()
	case errors.As(err, &exit):
		return 128 + int(exit.Sys().(syscall.WaitStatus).Signal())
	}
	return failed(err)
}
