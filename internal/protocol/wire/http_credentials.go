package wire

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/redirect"
)

// Credentials authorize the HTTP requests of a connection, and may change while it is open. Their methods must
// be safe for concurrent use.
type Credentials interface {
	// Authorize adds the current credentials to a request. It must not block.
	Authorize(req *http.Request)
	// Renew is called when a request was rejected with status 401 or 403, with the number of its repetitions so
	// far, and reports whether there are better credentials now, with which to repeat it. An error states why
	// there are none.
	Renew(ctx context.Context, req *http.Request, refused Frame, repeated int) (bool, error)
}

// maxRenewals is how often one request is repeated with better credentials: for an expired token, then for a
// missing scope.
const maxRenewals = 3

// An unauthorizedError reports why better credentials are not available.
type unauthorizedError struct{ error }

func (e *unauthorizedError) Unwrap() error { return e.error }

// do sends a request, and repeats it as long as the credentials can be renewed. Rejected requests are also
// recorded.
func (c *httpConn) do(req *http.Request, stream string) (*http.Response, error) {
	for repeated := 0; ; repeated++ {
		resp, err := roundTrip(c.client, req)
		if err != nil || c.target.Credentials == nil || repeated == maxRenewals || !refuses(resp) {
			return resp, err
		}
		f := c.readBody(resp, stream)
		f.End = false
		again, err := c.target.Credentials.Renew(req.Context(), req, f, repeated)
		switch {
		case err != nil:
			c.log.Record(f)
			return nil, &unauthorizedError{err}
		case !again:
			resp.Body = io.NopCloser(bytes.NewReader(f.Body))
			return resp, nil
		}
		c.log.Record(f)
		if req, err = c.repeat(req, stream); err != nil {
			return nil, err
		}
	}
}

func refuses(resp *http.Response) bool {
	return resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden
}

// repeat creates the request again with the current credentials, and records it.
func (c *httpConn) repeat(req *http.Request, stream string) (*http.Request, error) {
	next := req.Clone(req.Context())
	var body []byte
	if req.GetBody != nil {
		reader, err := req.GetBody()
		if err != nil {
			return nil, err
		}
		if body, err = io.ReadAll(reader); err != nil {
			return nil, err
		}
		next.Body = io.NopCloser(bytes.NewReader(body))
	}
	c.target.Credentials.Authorize(next)
	c.log.Record(Frame{From: Client, Stream: stream, Header: next.Header, Body: body})
	return next, nil
}

// isSafeToRetry reports whether the server cannot have processed a request after this error.
func isSafeToRetry(err error) bool {
	return errors.As(err, new(*redirect.Error)) || errors.As(err, new(*unauthorizedError))
}
