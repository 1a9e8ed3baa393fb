package upstream

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// lastLines is how much of a process's last words the log has; together they are no more than wire keeps of them.
const lastLines = 5

// complaint is what the log says of a server that is not there: its name, the error and, of a process that has ended, its
// last words, since those alone tell why. Only the log has them: they are no business of a client's.
func complaint(server string, err error) []any {
	attributes := []any{"server", server, "error", fmt.Sprint(err)}
	var broken *wire.Error
	if !errors.As(err, &broken) || strings.TrimSpace(broken.Stderr) == "" {
		return attributes
	}
	return append(attributes, "stderr", strings.Join(wire.Closing(broken.Stderr, lastLines), "\n"))
}
