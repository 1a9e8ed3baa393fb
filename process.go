package mcptest

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
)

// protocol is the version of the protocol of mcptest driver.
const protocol = 1

// A driver is a running mcptest driver. It ends when this process does: its stdin ends then.
type driver struct {
	out *bufio.Reader

	write sync.Mutex
	in    io.Writer

	mu      sync.Mutex
	next    int
	pending map[int]chan reply
	failed  error // it has ended
	names   map[string]bool
}

// A reply is a response of the driver.
type reply struct {
	ID     int
	Result json.RawMessage
	Error  *struct {
		Message string
		Data    struct{ Hint string }
	}
	failed error
}

// startDriver starts the driver once for all tests of this process.
var startDriver = sync.OnceValues(func() (*driver, error) {
	program, err := findProgram()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(program, append([]string{"driver"}, flags()...)...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("cannot start mcptest: %w", err)
	}
	d := &driver{in: in, out: bufio.NewReaderSize(out, 64<<10), pending: map[int]chan reply{},
		names: map[string]bool{}}
	go d.read(cmd)
	if err := d.call("hello", M{"protocol": protocol, "client": "go"}, nil); err != nil {
		return nil, fmt.Errorf("%s driver: %w", program, err)
	}
	return d, nil
})

// findProgram finds mcptest.
func findProgram() (string, error) {
	if named := os.Getenv("MCPTEST"); named != "" {
		return named, nil
	}
	if path, err := exec.LookPath("mcptest"); err == nil {
		return path, nil
	}
	if out, err := exec.Command("go", "tool", "-n", "mcptest").Output(); err == nil {
		return strings.TrimSpace(string(out)), nil
	}
	return "", errors.New("mcptest not found: run: go get -tool github.com/mcptest-dev/mcptest/cmd/mcptest, " +
		"or set MCPTEST to the path of the program")
}

// flags are what the user permits.
func flags() []string {
	var all []string
	for name, flag := range map[string]string{"MCPTEST_UPDATE": "--update-snapshots", "MCPTEST_ALLOW_CALLS": "--allow-calls",
		"MCPTEST_ALLOW_DISRUPTIVE": "--allow-disruptive"} {
		if value := os.Getenv(name); value != "" && value != "0" {
			all = append(all, flag)
		}
	}
	return all
}

// name returns a name for a server that no other one has now.
func (d *driver) name() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	name := "server"
	for n := 2; d.names[name]; n++ {
		name = fmt.Sprintf("server-%d", n)
	}
	d.names[name] = true
	return name
}

func (d *driver) free(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.names, name)
}

// call sends a request and waits for its result.
func (d *driver) call(method string, params, result any) error {
	answer := make(chan reply, 1)
	d.mu.Lock()
	d.next++
	id := d.next
	failed := d.failed
	d.pending[id] = answer
	d.mu.Unlock()
	if failed != nil {
		return failed
	}
	line, err := json.Marshal(M{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	d.write.Lock()
	_, err = d.in.Write(append(line, '\n'))
	d.write.Unlock()
	if err != nil {
		return fmt.Errorf("mcptest driver: %w", err)
	}
	r := <-answer
	switch {
	case r.failed != nil:
		return r.failed
	case r.Error != nil && r.Error.Data.Hint != "":
		return fmt.Errorf("%s\nhint: %s", r.Error.Message, r.Error.Data.Hint)
	case r.Error != nil:
		return errors.New(r.Error.Message)
	case result == nil:
		return nil
	}
	return json.Unmarshal(r.Result, result)
}

// read passes responses on until the driver ends.
func (d *driver) read(cmd *exec.Cmd) {
	var r reply
	var line []byte
	var err error
	for {
		if line, err = d.out.ReadBytes('\n'); err != nil {
			break
		}
		r = reply{}
		if json.Unmarshal(line, &r) != nil || r.ID == 0 {
			continue // a notification
		}
		d.mu.Lock()
		answer := d.pending[r.ID]
		delete(d.pending, r.ID)
		d.mu.Unlock()
		if answer != nil {
			answer <- r
		}
	}
	ended := errors.New("mcptest driver has ended")
	if err := cmd.Wait(); err != nil {
		ended = fmt.Errorf("mcptest driver has ended: %w", err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.failed = ended
	for _, answer := range d.pending {
		answer <- reply{failed: ended}
	}
}
