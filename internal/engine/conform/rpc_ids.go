package conform

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// lostID returns why a request got no response: a response with another ID, if the server sent one, or the error
// itself.
func (p *CheckContext) lostID(ctx context.Context, id string, err error) error {
	s, again := p.Session(ctx)
	if again != nil {
		return err
	}
	if _, again := p.Alive(ctx, s); again != nil {
		return err
	}
	proof := Evidence{Frames: []wire.Frame{{From: wire.Client, Body: []byte(`{"id":` + id + `,…}`)}}}
	var other *mcp.UnmatchedError
	if errors.As(err, &other) {
		p.Report(proof, "request with id %s: got a response with id %s, expected the same id", id, show(other.Got.ID))
		return nil
	}
	p.Report(proof, "request with id %s got no response, while others did, expected one with the same id", id)
	return nil
}

// isRetyped reports whether a request failed because its response has its ID in another type.
func isRetyped(err error) bool {
	var other *mcp.UnmatchedError
	return errors.As(err, &other) && other.Got.ID != nil && retypedID(other.Got.ID) == canonicalID([]byte(other.ID))
}

// sameJSON reports whether two JSON scalars have the same type and value.
func sameJSON(a, b string) bool {
	if a == b {
		return true
	}
	var x, y string
	if json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && a != "null" && b != "null" {
		return x == y
	}
	m, errM := strconv.ParseFloat(a, 64)
	n, errN := strconv.ParseFloat(b, 64)
	return errM == nil && errN == nil && m == n
}
