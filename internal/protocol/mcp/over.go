package mcp

// Err returns why the session has ended: the connection was lost, or it was closed. It is nil while requests
// can be sent.
func (s *Session) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}
