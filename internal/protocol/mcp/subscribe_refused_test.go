package mcp

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// A refused subscription can be told from a connection that failed, in both eras.
func TestRefusedSubscription(t *testing.T) {
	for name, tt := range map[string]struct{ revision, rules string }{
		"legacy": {spec.NewestLegacy, "on resources/subscribe\n\terror -32002 no such resource\non " +
			"resources/unsubscribe\n\tresult {}\n"},
		"modern": {spec.NewestModern, "on subscriptions/listen\n\terror -32002 no such resource\n"},
		"modern, late": {spec.NewestModern, "on subscriptions/listen\n\t" + acknowledge +
			"\n\tsleep 1s\n\terror -32002 no such resource\n"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, _ := play(t, tt.revision, tt.rules, Options{})
				defer s.Close()
				sub, err := s.Listen(context.Background(), Filter{URIs: []string{"a:b"}})
				if err == nil {
					_, _, err = sub.Next(context.Background())
				}
				var refused *RPCError
				if !errors.As(err, &refused) || refused.Code != -32002 {
					t.Errorf("%v, want error -32002", err)
				}
			})
		})
	}
}
