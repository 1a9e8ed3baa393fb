package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire/supervise"
)

// A process is a child and all of its descendants.
type process struct {
	cmd      *exec.Cmd
	lifeline *os.File // kept open while the supervisor must keep the child alive; nil without one
	report   *os.File // the supervisor reports here how the child ended; nil without one
	group    group
	ending   *endingMark // nil without a supervisor
	onLeft   func(count int)
	leaves   bool // descendants of a child that exited are not ours to end
	exited   chan struct{}

	mu     sync.Mutex
	status error // valid once exited is closed
}

// pipes are our ends of the child's standard streams.
type pipes struct{ stdin, stdout, stderr *os.File }

// start runs the target's command in a separate process group.
func start(t Target) (*process, *pipes, error) {
	path, err := lookPath(t)
	if err != nil {
		return nil, nil, err
	}
	if err := findInterpreter(path); err != nil {
		return nil, nil, err
	}
	ours, theirs, err := makePipes()
	if err != nil {
		return nil, nil, err
	}
	defer theirs.close()
	p := &process{exited: make(chan struct{})}
	p.cmd = &exec.Cmd{Path: path, Args: t.Command, Dir: t.Dir, Env: t.env(), Stdin: theirs.stdin, Stdout: theirs.stdout,
		Stderr: theirs.stderr}
	var extra []*os.File
	if len(t.Supervisor) > 0 && supervise.Available {
		if extra, err = p.supervise(t, path, ours); err != nil {
			ours.close()
			return nil, nil, err
		}
	}
	supervise.KeepFiles()
	p.group.prepare(p.cmd)
	err = children.start(p.cmd, p.report != nil && !p.leaves)
	for _, f := range extra {
		_ = f.Close()
	}
	if err != nil {
		ours.close()
		p.ending.discard()
		for _, f := range []*os.File{p.lifeline, p.report} {
			if f != nil {
				_ = f.Close()
			}
		}
		return nil, nil, err
	}
	p.group.started(p.cmd)
	go p.wait()
	return p, ours, nil
}

// supervise wraps the command in the supervisor, with a lifeline to us and a pipe for its report.
func (p *process) supervise(t Target, path string, ours *pipes) ([]*os.File, error) {
	lifeR, lifeW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	reportR, reportW, err := os.Pipe()
	if err != nil {
		_, _ = lifeR.Close(), lifeW.Close()
		return nil, err
	}
	files := []*os.File{lifeR, reportW}
	if !t.Relay { // with Relay the child notices that its output is no longer read
		stdout, stderr, err := reopenOutput(ours)
		if err != nil {
			_, _, _, _ = lifeR.Close(), lifeW.Close(), reportR.Close(), reportW.Close()
			return nil, err
		}
		files = append(files, stdout, stderr)
	}
	p.lifeline, p.report = lifeW, reportR
	if !t.Relay { // with Relay another program starts the command, and no user waits for its end
		p.ending = newEndingMark(path, t)
	}
	argv := append([]string{}, t.Supervisor...)
	if t.OnLeft != nil {
		argv, p.onLeft = append(argv, supervise.Linger), t.OnLeft
	} else if t.Leaves {
		argv, p.leaves = append(argv, supervise.Leave), true
	} else if t.Relay {
		argv, p.leaves = append(argv, supervise.Relay), true
	}
	argv = append(argv, path)
	p.cmd.Path, p.cmd.Args = t.Supervisor[0], append(argv, t.Command...)
	p.cmd.ExtraFiles = files
	extra := files
	// the supervisor holds the mark after we have exited
	p.cmd.ExtraFiles = append(p.cmd.ExtraFiles, p.ending.files()...)
	return extra, nil
}

// lookPath finds the program in the child's PATH, with relative paths resolved from the child's directory.
func lookPath(t Target) (string, error) {
	name := t.Command[0]
	if strings.ContainsRune(name, filepath.Separator) || strings.ContainsRune(name, '/') {
		if !filepath.IsAbs(name) && t.Dir != "" {
			name = filepath.Join(t.Dir, name)
		}
		path, err := exec.LookPath(name)
		if err != nil {
			return "", errors.Unwrap(err)
		}
		return filepath.Abs(path)
	}
	for _, dir := range filepath.SplitList(t.getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue // a bare name does not refer to a program in the current directory
		}
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%q: %w", name, exec.ErrNotFound)
}

// wait collects the exit status; with a supervisor it is the one in its report.
func (p *process) wait() {
	var said []byte
	if p.report != nil {
		said, _ = io.ReadAll(io.LimitReader(p.report, 4<<10))
		_ = p.report.Close()
	}
	state, err := p.cmd.Process.Wait()
	children.ended(p.cmd)
	if p.report != nil && len(said) == 0 && !p.leaves {
		children.killOrphans() // the supervisor was killed before its work was done
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	defer close(p.exited)
	switch {
	case len(said) > 0:
		p.status = parseReport(said)
		p.reportOrphans(said)
	case err != nil:
		p.status = err
	default:
		p.status = exitStatus(state)
	}
}

// parseReport parses the report of a supervisor: "exit N", "signal N", or "errno N" if the program could not be
// run at all.
func parseReport(said []byte) error {
	kind, rest, _ := bytes.Cut(bytes.TrimSpace(said), []byte(" "))
	var n int
	_, err := fmt.Sscan(string(rest), &n)
	switch {
	case string(kind) == "exit" && err == nil:
		return &ExitError{Code: n}
	case string(kind) == "signal" && err == nil:
		return &ExitError{Code: -1, Signal: syscall.Signal(n)}
	case string(kind) == "errno" && err == nil:
		return syscall.Errno(n)
	}
	return fmt.Errorf("unexpected supervisor message %.80q", said)
}

// reportOrphans reports how many processes a child that exited by itself has left behind.
func (p *process) reportOrphans(said []byte) {
	var code, left int
	if _, err := fmt.Sscanf(string(said), "exit %d left %d", &code, &left); err == nil && p.onLeft != nil {
		p.onLeft(left)
	}
}

// exit returns how the process ended; only valid once exited is closed.
func (p *process) exit() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.status
}

func (p *process) pid() int { return p.cmd.Process.Pid }

// terminate asks the child and its group to exit.
func (p *process) terminate() {
	if p.lifeline != nil {
		_, _ = p.lifeline.Write([]byte{supervise.Terminate})
		forceSupervisor(p.cmd, false)
		return
	}
	p.group.terminate(p.cmd)
}

// release leaves the shutdown of the child to its supervisor, and reports whether there is one.
func (p *process) release() bool {
	if p.lifeline == nil {
		return false
	}
	_, err := p.lifeline.Write([]byte{supervise.Release})
	forceSupervisor(p.cmd, false)
	return err == nil
}

// kill kills the child and all of its descendants.
func (p *process) kill() {
	if p.lifeline != nil {
		_ = p.lifeline.Close() // the supervisor kills its descendants
		forceSupervisor(p.cmd, false)
		return
	}
	p.group.kill(p.cmd)
}

// destroy does the same without the supervisor, which may be blocked.
func (p *process) destroy() {
	if p.lifeline != nil {
		forceSupervisor(p.cmd, true)
		return
	}
	p.group.kill(p.cmd)
}

// end runs the steps one after another until the process has exited, and reports whether it has.
func (p *process) end(grace time.Duration, steps ...func()) bool {
	for _, step := range steps {
		if !p.exitsWithin(grace) {
			step()
		}
	}
	return p.exitsWithin(killedGrace)
}

// killedGrace is how long a killed process may take to exit, with the descendants that we adopt: only a process
// that is blocked in the kernel takes longer.
const killedGrace = 8 * time.Second

func (p *process) exitsWithin(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-p.exited:
		return true
	case <-timer.C:
		return false
	}
}

func makePipes() (ours, theirs *pipes, err error) {
	ours, theirs = &pipes{}, &pipes{}
	ends := []struct{ read, write **os.File }{
		{&theirs.stdin, &ours.stdin}, {&ours.stdout, &theirs.stdout}, {&ours.stderr, &theirs.stderr},
	}
	for _, end := range ends {
		if *end.read, *end.write, err = os.Pipe(); err != nil {
			ours.close()
			theirs.close()
			return nil, nil, err
		}
	}
	return ours, theirs, nil
}

func (p *pipes) close() {
	for _, f := range []*os.File{p.stdin, p.stdout, p.stderr} {
		if f != nil {
			_ = f.Close()
		}
	}
}
