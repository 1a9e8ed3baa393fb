package isolate

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A channel is an HTTP connection of a user without a session: each request has the session ID that a probe chooses.
type channel struct {
	wire.Streamer
	version string
	timeout time.Duration // of a request, even if its stream goes on
	session string        // of the last response with one
	number  int           // of the connection in the transcript, once it was used
	nextID  int
}

// channel opens a connection; nil if the server is not reached over Streamable HTTP.
func (u *user) channel(ctx context.Context) *channel {
	if u.s.Target().Transport() != wire.StreamableHTTP {
		return nil
	}
	conn, err := wire.Dial(ctx, u.Target, u.log)
	if err != nil {
		return nil
	}
	streams, ok := conn.(wire.Streamer)
	if !ok {
		_ = conn.Close()
		return nil
	}
	return &channel{Streamer: streams, version: u.s.Version, timeout: u.run.opts.Timeout}
}

// header returns the header of a request in a session.
func (c *channel) header(session string) http.Header {
	h := http.Header{"Mcp-Protocol-Version": {c.version}}
	if session != "" {
		h.Set("Mcp-Session-Id", session)
	}
	return h
}

// request posts a request in a session and returns its response, or nil.
func (c *channel) request(ctx context.Context, session, method string, params []byte) *mcp.Message {
	c.nextID++
	id := strconv.Itoa(c.nextID)
	body := `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `"`
	if params != nil {
		body += `,"params":` + string(params)
	}
	sent, err := c.Send(ctx, wire.Frame{Header: c.header(session), Body: []byte(body + "}")})
	if err != nil {
		return nil
	}
	c.number = sent.Conn
	for _, f := range c.until(ctx, sent.Stream, c.timeout) {
		m := mcp.Read(f)
		if id := f.Header.Get("Mcp-Session-Id"); id != "" {
			c.session = id // the header is in the first event only
		}
		if m.IsResponse() && string(m.ID) == id {
			return &m
		}
	}
	return nil
}

// maxFrames is how many frames of a stream are read.
const maxFrames = 1000

// until returns the frames of a stream until it ends, or until there is none for some time. A stream without an end is
// left after the timeout.
func (c *channel) until(ctx context.Context, stream string, patience time.Duration) []wire.Frame {
	var all []wire.Frame
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	for len(all) < maxFrames {
		limited, cancel := context.WithTimeout(ctx, patience)
		f, err := c.Recv(limited)
		cancel()
		if err != nil {
			return all
		}
		if f.Stream != stream {
			continue
		}
		if all = append(all, f); f.End {
			return all
		}
	}
	return all
}

// end ends a session. A response without an end does not hold up the run.
func (c *channel) end(ctx context.Context, session string) (wire.Frame, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	return c.Delete(ctx, c.header(session))
}

// initialize starts a session and returns its ID; "" if there is none.
func (c *channel) initialize(ctx context.Context) string {
	params := mcp.Object("protocolVersion", c.version, "capabilities", mcp.Object(), "clientInfo",
		mcp.Object("name", "mcptest", "version", "isolate"))
	c.session = ""
	reply := c.request(ctx, "", "initialize", params)
	if reply == nil || reply.Result == nil {
		return ""
	}
	id := c.session
	if id != "" {
		sent, err := c.Send(ctx, wire.Frame{Header: c.header(id),
			Body: []byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)})
		if err == nil {
			c.until(ctx, sent.Stream, time.Second)
		}
	}
	return id
}
