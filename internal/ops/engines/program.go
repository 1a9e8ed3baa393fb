package engines

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// RunProgram runs a program that is not a server, such as a package manager, and returns its output. When ctx ends, the
// program and all processes that it has started are ended.
func RunProgram(ctx context.Context, t wire.Target) (output string, err error) {
	said := &lockedOutput{}
	program, err := wire.StartHelper(t, said)
	if err != nil {
		return "", err
	}
	select {
	case <-program.Done():
		return said.text(), program.Err()
	case <-ctx.Done():
		program.End()
		return said.text(), context.Cause(ctx)
	}
}

// maxOutput is how much of the output of a program is kept; twice as much while it runs.
const maxOutput = 256 << 10

// A lockedOutput collects the end of the output of a program.
type lockedOutput struct {
	mu  sync.Mutex
	all bytes.Buffer
}

var _ io.Writer = (*lockedOutput)(nil)

func (o *lockedOutput) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.all.Len() > 2*maxOutput {
		o.all.Next(o.all.Len() - maxOutput)
	}
	return o.all.Write(p)
}

func (o *lockedOutput) text() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return strings.TrimSpace(o.all.String())
}
