package serve

import (
	"bytes"
	"encoding/json"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// A batch collects the responses to the requests of one array.
type batch struct {
	mu      sync.Mutex
	waiting int // pending responses
	replies [][]byte
}

// batch handles an array of messages, which only 2025-03-26 supports.
func (f *lineConn) batch(text []byte) error {
	if bad := Syntax(text); bad != nil {
		return f.out.Write(Failure(nil, bad))
	}
	f.mu.Lock()
	revision := f.revision
	f.mu.Unlock()
	var parts []json.RawMessage
	json.Unmarshal(text, &parts)
	if !spec.Of(revision).Batches || len(parts) == 0 {
		return f.out.Write(Failure(nil, InvalidRequest("batches are allowed only in %s and must not be empty",
			spec.March2025)))
	}
	b := &batch{}
	for _, part := range parts {
		if needsResponse(part) {
			b.waiting++
		}
	}
	for _, part := range parts {
		if err := f.one(part, b); err != nil {
			return err
		}
	}
	return nil
}

// needsResponse reports whether a message of a batch gets a response.
func needsResponse(part []byte) bool {
	m, bad := Parse(part)
	if bad != nil {
		return m.Kind != Notification || m.Method == ""
	}
	return m.Kind == Request
}

// add adds a response, or nil for a request that gets none, and writes all of them after the last one.
func (b *batch) add(f *lineConn, reply []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if reply != nil {
		b.replies = append(b.replies, reply)
	}
	if b.waiting--; b.waiting > 0 || len(b.replies) == 0 {
		return nil
	}
	return f.out.Write(append(append([]byte("["), bytes.Join(b.replies, []byte(","))...), ']'))
}
