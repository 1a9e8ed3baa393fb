package suiterun

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/mcptest-dev/mcptest/internal/engine/suite"
	"github.com/mcptest-dev/mcptest/internal/finding"
	locks "github.com/mcptest-dev/mcptest/internal/ops/changes"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A lockedWith is the options of a locked block.
type lockedWith struct {
	File   string `json:"file"`   // relative to the working directory, as in other commands
	Server string `json:"server"` // its name in the lock file
}

// lockedBlock compares the server with what was approved in a lock file.
func lockedBlock(w *workbench.Workbench,
	reach func(*suite.Server, *mcp.Session) workbench.Connection) engineBlock {
	return func(ctx context.Context, s *mcp.Session, server *suite.Server, with []byte) ([]byte, []finding.Finding,
		error) {
		var asked lockedWith
		if err := decodeWith(with, &asked); err != nil {
			return nil, nil, err
		}
		file := cmp.Or(asked.File, locks.DefaultLock)
		lock, err := locks.ReadLock(w, file, false)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil, fmt.Errorf("%s: no such file; create it with mcptest lock", file)
		}
		if err != nil {
			return nil, nil, err
		}
		lists, err := s.Surface(ctx)
		if err != nil {
			return nil, nil, err
		}
		on := reach(server, s)
		r, _, err := lock.Check(ctx, w, file, &on, asked.Server, s, lists)
		if err != nil {
			return nil, nil, err
		}
		raw, err := json.Marshal(countFigures(r))
		return raw, r.Findings(), err
	}
}
