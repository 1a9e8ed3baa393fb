package forward

import (
	"errors"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/invoke"
	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/redact"
)

// ClientError is the error for a client if there was no response.
func ClientError(err error) *serve.Error {
	message := redact.Text(err.Error())
	var overloaded *upstream.OverloadedError
	if errors.As(err, &overloaded) {
		return &serve.Error{Code: serve.CodeOverloaded, Message: message}
	}
	var starting *upstream.StartingError
	if errors.As(err, &starting) {
		about := map[string]string{"type": invoke.TypeOf(err), "server": starting.Server, "state": starting.State()}
		return &serve.Error{Code: serve.CodeInternal, Message: message, Data: serve.Encode(about)}
	}
	var unauthorized *upstream.AuthorizationError
	if errors.As(err, &unauthorized) {
		about := AuthorizationDetails(unauthorized)
		about["type"] = invoke.TypeOf(err)
		return &serve.Error{Code: serve.CodeInternal, Message: message, Data: serve.Encode(about)}
	}
	var quarantined *catalog.QuarantineError
	if errors.As(err, &quarantined) {
		return &serve.Error{Code: serve.CodeInvalidParams, Message: message,
			Data: serve.Encode(QuarantineDetails(quarantined))}
	}
	return &serve.Error{Code: serve.CodeInternal, Message: message}
}

// AuthorizationDetails is what a client can act on: where to connect an account, and which scopes are missing.
func AuthorizationDetails(e *upstream.AuthorizationError) map[string]any {
	about := map[string]any{"server": e.Server, "advice": e.Advice}
	if e.Connect != "" {
		about["connect_url"] = e.Connect
	}
	if len(e.Scopes) > 0 {
		about["scopes"] = e.Scopes
	}
	return about
}

// QuarantineDetails is a QuarantineError for a client.
func QuarantineDetails(e *catalog.QuarantineError) map[string]any {
	about := map[string]any{"type": invoke.TypeOf(e), "kind": e.Kind, "server": e.Key.Server,
		e.Kind: invoke.SanitizeName(e.Key.Name), "reason": e.Reason, "action": e.Action()}
	if e.Hash != "" {
		about["hash"] = e.Hash
	}
	return about
}
