package workbench

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/gateway/status"
	"github.com/mcptest-dev/mcptest/internal/tap"
)

// A Screen shows a running operation on a terminal.
type Screen struct {
	// Gateway shows a gateway until the context ends.
	Gateway func(ctx context.Context, b GatewayBoard) error
	// Recording shows a recorded session until the user quits or the context ends. method is the initial filter.
	// It is nil if lines are printed instead.
	Recording func(ctx context.Context, dir string, s *tap.Session, method string) error
	OwnsErr   bool // stderr is also the terminal, so nothing else may be written to it
}

// A GatewayBoard is the data that a dashboard shows.
type GatewayBoard struct {
	Address string
	Token   string // of the run; empty if there is none
	Status  func() status.Status
	Notices func() []string // the last warnings
	Stop    func()          // stops the gateway; a second call does not wait for calls in flight
}
