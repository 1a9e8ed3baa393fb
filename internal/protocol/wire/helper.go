package wire

import (
	"errors"
	"io"
	"os"
	"sync"
	"time"
)

// A Helper is a process that is no server: a command that runs beside the servers. It is started and ended as they are.
type Helper struct {
	target Target
	proc   *process
	done   chan struct{}
}

// StartHelper starts the target's command. Its input is empty; what it says on both of its outputs goes to said, which must
// bear being written to from two goroutines.
func StartHelper(t Target, said io.Writer) (*Helper, error) {
	proc, pipes, err := start(t)
	if err != nil {
		return nil, err
	}
	_ = pipes.stdin.Close()
	h := &Helper{target: t, proc: proc, done: make(chan struct{})}
	var heard sync.WaitGroup
	outputs := []*os.File{pipes.stdout, pipes.stderr}
	for _, file := range outputs {
		heard.Go(func() {
			_, _ = io.Copy(said, &lastWords{file: file})
			_ = file.Close()
		})
	}
	go func() {
		defer close(h.done)
		<-proc.exited
		proc.kill() // what it left of its group
		for _, file := range outputs {
			_ = file.SetReadDeadline(time.Now())
		}
		heard.Wait()
	}()
	return h, nil
}

// Done is closed when the process has ended and all that it said was written.
func (h *Helper) Done() <-chan struct{} { return h.done }

// Err is how the process ended, once Done is closed: nil if it was well.
func (h *Helper) Err() error {
	err := h.proc.exit()
	var exit *ExitError
	if errors.As(err, &exit) && exit.Code == 0 {
		return nil
	}
	return err
}

// End asks the process to end, kills it if it does not, and waits for it.
func (h *Helper) End() {
	h.proc.terminate()
	if h.proc.end(h.target.grace(), h.proc.kill, h.proc.destroy) {
		<-h.done
	}
}
