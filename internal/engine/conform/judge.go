package conform

import (
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A judge holds every frame of every check against the tables of the revision.
type judge struct {
	round *round

	mu sync.Mutex
}

// hear takes a frame of the connection with the name.
func (j *judge) hear(connection, revision string, f wire.Frame) {}
