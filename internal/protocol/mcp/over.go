package mcp

// Err is why the session is over: the connection is gone, or it was closed. It is nil while requests can be made.
func (s *Session) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}
