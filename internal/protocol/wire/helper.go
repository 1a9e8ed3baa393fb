package wire

import (
	"errors"
	"io"
	"os"
	"sync"
	"time"
)

// A AuxProcess is a process that is not a server: a command that runs alongside the servers. It is started and
// ended in the same way.
type AuxProcess struct {
	target Target
	proc   *process
	done   chan struct{}
}

// StartHelper starts the target's command. Its stdin is empty; its stdout and stderr are written to said, which
// must be safe for concurrent use.
func StartHelper(t Target, said io.Writer) (*AuxProcess, error) {
	proc, pipes, err := start(t)
	if err != nil {
		return nil, err
	}
	_ = pipes.stdin.Close()
	h := &AuxProcess{target: t, proc: proc, done: make(chan struct{})}
	var heard sync.WaitGroup
	outputs := []*os.File{pipes.stdout, pipes.stderr}
	for _, file := range outputs {
		heard.Go(func() {
			_, _ = io.Copy(said, &drainReader{file: file})
			_ = file.Close()
		})
	}
	go func() {
		defer close(h.done)
		<-proc.exited
		proc.kill() // the rest of its process group
		for _, file := range outputs {
			_ = file.SetReadDeadline(time.Now())
		}
		heard.Wait()
	}()
	return h, nil
}

// Done is closed when the process has exited and all of its output was written.
func (h *AuxProcess) Done() <-chan struct{} { return h.done }

// Err returns how the process exited, once Done is closed: nil on success.
func (h *AuxProcess) Err() error {
	err := h.proc.exit()
	var exit *ExitError
	if errors.As(err, &exit) && exit.Code == 0 {
		return nil
	}
	return err
}

// End asks the process to exit, kills it if it does not, and waits for it.
func (h *AuxProcess) End() {
	h.proc.terminate()
	if h.proc.end(h.target.grace(), h.proc.kill, h.proc.destroy) {
		<-h.done
	}
}
