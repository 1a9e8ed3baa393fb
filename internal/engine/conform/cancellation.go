package conform

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// cancelRequest sends a request and cancels it some time later: by closing its stream if the revision cancels that way,
// otherwise with a notification.
func (p *CheckContext) cancelRequest(ctx context.Context, s *mcp.Session, id, method string, params json.RawMessage,
	after time.Duration) error {
	if p.Modern() && transportOf(p.Target.Transport()) == OnHTTP {
		one, cancel := context.WithTimeout(ctx, max(after, time.Millisecond))
		defer cancel()
		_, _ = p.CallIn(one, s, method, params)
		return nil
	}
	request := fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"method":%q,"params":%s}`, id, method, p.Params(string(params)))
	if _, err := p.SendRaw(ctx, s, request); err != nil {
		return err
	}
	select { // without letting another check run, which could take longer than the request
	case <-time.After(after):
	case <-ctx.Done():
		return ctx.Err()
	}
	cancellation := fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%q,"reason":"a test"}}`, id)
	_, err := p.SendRaw(ctx, s, cancellation)
	return err
}
