package supervise

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// A supervisor takes about as long to start as the rest of mcptest takes to initialize itself. So where the arguments of
// mcptest end with the command of a server, a supervisor is started at once. It waits, exits with mcptest, and learns
// later what to run: its whole message is sent on a socket, with the files that a new supervisor would inherit.

// await, instead of a command, makes a supervisor wait.
const await = "await"

// socketFD is where a waiting supervisor receives its message. The numbers before it are kept for the files of the message:
// the runtime opens files of its own.
const socketFD = marksFD + 1

// waiting is the supervisor that waits; nil if there is none.
var waiting *waitingSupervisor

type waitingSupervisor struct{ pid, socket int }

// endWithCommand reports whether the arguments of mcptest end with the command of a server.
func endWithCommand(args []string) bool {
	i := slices.Index(args, "--")
	return i > 1 && i < len(args)-1
}

// startWaiting starts a supervisor that waits, with no environment and no file of ours but the socket.
func startWaiting() *waitingSupervisor {
	null, err := syscall.Open(os.DevNull, syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer func() { _ = syscall.Close(null) }()
	ends, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer func() { _ = syscall.Close(ends[1]) }()
	files := append(slices.Repeat([]uintptr{uintptr(null)}, socketFD), uintptr(ends[1]))
	KeepFiles()
	pid, err := syscall.ForkExec("/proc/self/exe", []string{os.Args[0], Command, await}, &syscall.ProcAttr{
		Files: files, Sys: &syscall.SysProcAttr{Setpgid: true}})
	if err != nil {
		_ = syscall.Close(ends[0])
		return nil
	}
	return &waitingSupervisor{pid: pid, socket: ends[0]}
}

// HandOver makes the waiting supervisor run what a new one would run: args are those behind [Command], and files are its
// open files from 0 on. It returns the process ID, or false if no supervisor waits. Calls must not overlap.
func HandOver(args, env []string, dir string, files []uintptr) (pid int, ok bool) {
	w := waiting
	waiting = nil
	if w == nil {
		return 0, false
	}
	defer func() { _ = syscall.Close(w.socket) }()
	texts := append([]string{dir, strconv.Itoa(len(args))}, args...)
	message := []byte(strings.Join(append(texts, env...), "\x00")) // no argument or variable has this byte
	fds := make([]int, len(files))
	for i, fd := range files {
		fds[i] = int(fd)
	}
	rights := syscall.UnixRights(fds...)
	for len(message) > 0 {
		n, err := syscall.SendmsgN(w.socket, message, rights, nil, syscall.MSG_NOSIGNAL)
		if err == syscall.EINTR {
			continue
		}
		if err != nil { // it was killed
			_ = syscall.Kill(w.pid, syscall.SIGKILL)
			_, _ = syscall.Wait4(w.pid, nil, 0, nil)
			return 0, false
		}
		message, rights = message[n:], nil
	}
	return w.pid, true
}

// receive waits for the message and puts its files into place. It returns false if mcptest needs no supervisor.
func receive() (args, env []string, ok bool) {
	buffer, rights := make([]byte, 64<<10), make([]byte, 256)
	n, rightsLen, err := 0, 0, error(syscall.EINTR)
	for err == syscall.EINTR {
		n, rightsLen, _, _, err = syscall.Recvmsg(socketFD, buffer, rights, syscall.MSG_CMSG_CLOEXEC)
	}
	var message []byte
	for err == nil && n > 0 {
		message = append(message, buffer[:n]...)
		for n, err = syscall.Read(socketFD, buffer); err == syscall.EINTR; {
			n, err = syscall.Read(socketFD, buffer)
		}
	}
	controls, controlErr := syscall.ParseSocketControlMessage(rights[:rightsLen])
	if err != nil || controlErr != nil || len(controls) != 1 {
		return nil, nil, false
	}
	files, err := syscall.ParseUnixRights(&controls[0])
	if err != nil || !place(files) {
		return nil, nil, false
	}
	texts := strings.Split(string(message), "\x00")
	if len(texts) < 2 {
		return nil, nil, false
	}
	count, err := strconv.Atoi(texts[1])
	if err != nil || count > len(texts)-2 || texts[0] != "" && syscall.Chdir(texts[0]) != nil {
		return nil, nil, false
	}
	return texts[2 : 2+count], texts[2+count:], true
}

// place makes the files 0, 1, 2 and so on, and closes the rest.
func place(files []int) bool {
	if len(files) > socketFD {
		return false
	}
	for i, fd := range files {
		if syscall.Dup3(fd, i, 0) != nil {
			return false
		}
		_ = syscall.Close(fd)
	}
	for fd := len(files); fd <= socketFD; fd++ {
		_ = syscall.Close(fd)
	}
	return true
}
