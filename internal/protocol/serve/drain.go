package serve

import "time"

// drain gives the calls in flight a moment to finish. Subscriptions do not end by themselves.
func (f *lineConn) drain() {
	f.mu.Lock()
	f.idle = make(chan struct{})
	idle := f.idle
	f.signal()
	f.mu.Unlock()
	select {
	case <-idle:
	case <-time.After(grace):
	case <-f.ctx.Done():
	}
}

// signal closes idle once no call is pending. f.mu is held.
func (f *lineConn) signal() {
	if f.idle == nil {
		return
	}
	for _, x := range f.pending {
		if x.method != "subscriptions/listen" {
			return
		}
	}
	close(f.idle)
	f.idle = nil
}

// close ends all sessions and waits for them.
func (f *lineConn) close() {
	f.mu.Lock()
	links := []*sdkTransport{f.legacy, f.modern}
	for _, x := range f.pending {
		links = append(links, x.link)
	}
	f.mu.Unlock()
	for _, l := range links {
		if l != nil {
			l.Close()
		}
	}
	f.ended.Wait()
}
