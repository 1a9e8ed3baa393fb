package upstream

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// lastLines is how much of the last stderr output of a process is logged; together they are no more than wire stores.
const lastLines = 5

// failureAttrs is the log fields for a server that is down: its name, the error and, for a process that has exited, its
// last stderr output, since only that shows the reason. It is only logged, never sent to clients.
func failureAttrs(server string, err error) []any {
	attributes := []any{"server", server, "error", fmt.Sprint(err)}
	var broken *wire.Error
	if !errors.As(err, &broken) || strings.TrimSpace(broken.Stderr) == "" {
		return attributes
	}
	return append(attributes, "stderr", strings.Join(wire.StderrSummary(broken.Stderr, lastLines), "\n"))
}
