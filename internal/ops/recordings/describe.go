package recordings

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A Sequence describes the messages of a session in their order. The zero value is ready for the first message.
type Sequence struct {
	requests map[int]sentRequest // by the number of their frame
	frames   map[string]int      // by requestKey
}

// A sentRequest is a request that waits for its response.
type sentRequest struct {
	what string
	at   time.Time
}

// maxWaiting is how many requests can wait for their response. A server can send any number of them.
const maxWaiting = 10_000

// Describe returns what a message is: the method, and for a response its request, outcome and duration.
func (s *Sequence) Describe(m *mcp.Message) string {
	switch {
	case m.IsRequest():
		what := clip.Text(m.Method, 100)
		if name := cmp.Or(schema.TextAt(m.Params, "/name"), schema.TextAt(m.Params, "/uri")); name != "" {
			what += " " + clip.Text(name, 80)
		}
		if s.requests == nil || len(s.frames) >= maxWaiting {
			s.requests, s.frames = map[int]sentRequest{}, map[string]int{}
		}
		s.frames[requestKey(m, m.Frame.From)] = m.Frame.Seq
		s.requests[m.Frame.Seq] = sentRequest{what, m.Frame.Time}
		return what
	case m.IsNotification():
		return clip.Text(m.Method, 100)
	case m.IsResponse():
		return s.describeResponse(m)
	case len(m.Frame.Body) == 0:
		if method, _, exchange := strings.Cut(m.Frame.Stream, "-"); exchange { // of HTTP
			return strings.ToUpper(method) + " without a message"
		}
		return "no message"
	}
	return "not a message: " + clip.Text(string(m.Frame.Body), 80)
}

func (s *Sequence) describeResponse(m *mcp.Message) string {
	outcome := "result"
	if m.Error != nil {
		outcome = fmt.Sprintf("error %d: %s", m.Error.Code, clip.Text(m.Error.Message, 100))
	} else if failed, _ := schema.Get(m.Result, "/isError"); string(failed) == "true" {
		outcome = "result with isError"
	}
	sender := wire.Client
	if m.Frame.From == wire.Client {
		sender = wire.Server
	}
	key := requestKey(m, sender)
	seq := cmp.Or(m.Frame.Reply, s.frames[key]) // a recording knows it; several clients of it can use the same IDs
	r, known := s.requests[seq]
	if !known {
		return "response without a request: " + outcome
	}
	delete(s.requests, seq)
	delete(s.frames, key)
	return fmt.Sprintf("%s: %s after %s", r.what, outcome, Round(m.Frame.Time.Sub(r.at)))
}

// requestKey identifies a request by its sender: IDs are unique on a connection, for each side.
func requestKey(m *mcp.Message, sender wire.Side) string {
	return fmt.Sprintf("%d %s %s", m.Frame.Conn, sender, m.ID)
}

// Round rounds a duration to about three digits.
func Round(d time.Duration) time.Duration {
	for unit := 10 * time.Microsecond; unit < time.Second; unit *= 10 {
		if d < 1000*unit {
			return d.Round(unit)
		}
	}
	return d.Round(time.Second)
}
