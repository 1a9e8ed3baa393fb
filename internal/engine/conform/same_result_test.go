package conform

import (
	"encoding/json"
	"testing"
)

// How long a call took is not part of its result.
func TestSameResult(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{`{"structuredContent":{"n":1,"metadata":{"request_time_ms":0}}}`, `{"structuredContent":{"n":1,"metadata":{"request_time_ms":12}}}`, true},
		{`{"content":[{"type":"text","text":"{\"n\":1,\"elapsed\": 0.1}"}]}`, `{"content":[{"type":"text","text":"{\"n\":1,\"elapsed\": 3}"}]}`, true},
		{`{"structuredContent":{"n":1,"duration":1}}`, `{"structuredContent":{"n":2,"duration":1}}`, false},
		{`{"structuredContent":{"tools":1}}`, `{"structuredContent":{"tools":2}}`, false},
	} {
		if got := sameResult(json.RawMessage(c.a), json.RawMessage(c.b)); got != c.same {
			t.Errorf("%s and %s: same %v", c.a, c.b, got)
		}
	}
}
