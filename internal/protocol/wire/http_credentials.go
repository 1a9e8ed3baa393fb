package wire

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
)

// Credentials authorise the HTTP requests of a connection, where that can change while it is open. Their methods may be
// called by many goroutines at once.
type Credentials interface {
	// Authorize adds what the credentials are now to a request. It does not wait for anything.
	Authorize(req *http.Request)
	// Renew is told that a request was refused with status 401 or 403, after having been repeated so many times, and
	// reports whether there are better credentials now, with which it is to be repeated. An error says why there are none.
	Renew(ctx context.Context, req *http.Request, refused Frame, repeated int) (bool, error)
}

// maxRenewals is how often one request is repeated with better credentials: a token that had expired, then one that
// lacked a scope.
const maxRenewals = 3

// An unauthorizedError says why better credentials could not be had.
type unauthorizedError struct{ error }

func (e *unauthorizedError) Unwrap() error { return e.error }

// do does a request, and again as long as the credentials can be renewed. What was refused is recorded too.
func (c *httpConn) do(req *http.Request, stream string) (*http.Response, error) {
	for repeated := 0; ; repeated++ {
		resp, err := roundTrip(c.client, req)
		if err != nil || c.target.Credentials == nil || repeated == maxRenewals || !refuses(resp) {
			return resp, err
		}
		f := c.whole(resp, stream)
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

// repeat makes the request anew with the credentials of now, and records it.
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

// neverSeen reports failures after which the server cannot have acted on a request.
func neverSeen(err error) bool {
	return errors.As(err, new(*redirectError)) || errors.As(err, new(*unauthorizedError))
}
