package fuzz

import "github.com/mcptest-dev/mcptest/internal/engine/fuzz/growth"

// leakOf is the violation of calls that leave something behind; nil if they do not.
func leakOf(l *growth.Leak) *violation {
	if l == nil {
		return nil
	}
	return &violation{cause: l.Cause, message: l.Message}
}
