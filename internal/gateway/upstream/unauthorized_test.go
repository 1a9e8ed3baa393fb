package upstream

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/testservers/oauth"
)

// A server that rejects the gateway is not asked again at once, and its state says what to do.
func TestRejectedGatewayWaits(t *testing.T) {
	locked := oauth.Start(t)
	s := Start("mail", wire.Target{URL: locked.URL("")}, nil)
	defer s.Close()
	_, err := s.Await(t.Context(), spec.Modern)
	var e *AuthorizationError
	if !errors.As(err, &e) || !strings.Contains(err.Error(), "HTTP 401") ||
		!strings.Contains(err.Error(), `set oauth of server "mail" under gateway.servers in the config`) {
		t.Fatalf("Await = %v", err)
	}
	if h := s.Health(); h.State != Unauthorized || !strings.Contains(h.Error, "HTTP 401") || h.Next.IsZero() {
		t.Errorf("health %+v", h)
	}
	asked := len(locked.Seen())
	time.Sleep(700 * time.Millisecond) // an unreachable server would be tried again after 200 ms and 400 ms
	if now := len(locked.Seen()); now != asked {
		t.Errorf("%d more requests", now-asked)
	}
	s.Retry()
	for deadline := time.Now().Add(10 * time.Second); len(locked.Seen()) == asked; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("not tried again")
		}
	}
}
