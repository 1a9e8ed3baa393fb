//go:build unix

package chromium

import (
	"io"
	"os"
	"syscall"
)

// start starts the browser with the pipe on its file descriptors 3 and 4, in its own process group.
func (b *Browser) start() (io.ReadCloser, error) {
	theirIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		_, _ = theirIn.Close(), in.Close()
		return nil, err
	}
	b.cmd.ExtraFiles = []*os.File{theirIn, theirOut}
	b.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	err = b.cmd.Start()
	_, _ = theirIn.Close(), theirOut.Close()
	if err != nil {
		_, _ = in.Close(), out.Close()
		return nil, err
	}
	b.in = in
	b.stop = func() { _ = syscall.Kill(-b.cmd.Process.Pid, syscall.SIGKILL) }
	return out, nil
}
