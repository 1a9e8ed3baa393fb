package serve

import (
	"net/http/httptest"
	"testing"
)

// The SDK's response to a request that was cancelled before its handler ran is dropped; everything else is passed on.
func TestCancelledWriter(t *testing.T) {
	const event = "event: message\ndata: "
	for body, passed := range map[string]bool{
		event + `{"jsonrpc":"2.0","id":5,"error":{"code":0,"message":"context canceled"}}` + "\n\n":      false,
		event + `{"jsonrpc":"2.0","id":5,"error":{"code":-32603,"message":"context canceled"}}` + "\n\n": true,
		event + `{"jsonrpc":"2.0","id":5,"result":{"text":"\"error\":{\"code\":0,"}}` + "\n\n":           true,
		event + `{"jsonrpc":"2.0","method":"x","params":{"error":{"code":0,"message":""}}}` + "\n\n":     true,
		`{"jsonrpc":"2.0","id":5,"result":{}}`:                                                           true,
		":\n\n":                                                                                          true,
	} {
		recorder := httptest.NewRecorder()
		n, err := cancelledWriter{recorder}.Write([]byte(body))
		if n != len(body) || err != nil || (recorder.Body.String() == body) != passed ||
			!passed && recorder.Body.Len() > 0 {
			t.Errorf("%q: wrote %q (%d, %v), passed on expected: %v", body, recorder.Body, n, err, passed)
		}
	}
}
