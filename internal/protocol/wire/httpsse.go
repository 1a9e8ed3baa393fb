package wire

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"
)

// endpointTimeout is how long the server may take to send its endpoint event.
const endpointTimeout = 15 * time.Second

// dialSSE opens the stream of the HTTP+SSE transport and waits for the endpoint event.
func dialSSE(ctx context.Context, t Target, log *Transcript) (*httpConn, error) {
	c, err := dialHTTP(t, log)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, endpointTimeout, errors.New("no endpoint event received"))
	defer cancel()
	stream := c.Listen(nil)
	f, err := c.Recv(ctx)
	switch {
	case err != nil:
	case f.Err != nil:
		err = f.Err
	case f.Status/100 != 2:
		err = &StatusError{Status: f.Status, Header: f.Header, Body: f.Body}
	case f.Stream != stream || f.Event == nil || f.Event.Name != "endpoint":
		err = errors.New("the first event is not an endpoint event; this is not the HTTP+SSE transport")
	default:
		c.endpoint, err = resolveEndpoint(t.URL, string(f.Body))
	}
	if err == nil {
		return c, nil
	}
	_ = c.Close()
	var known *Error
	if errors.As(err, &known) {
		return nil, err
	}
	return nil, &Error{Target: t.String(), Doing: "connect to", Err: err, Hint: hintOf(err)}
}

// resolveEndpoint makes the endpoint absolute. It must have the same origin as the URL from the user.
func resolveEndpoint(base, endpoint string) (string, error) {
	from, err := url.Parse(base)
	if err != nil {
		return "", err
	}
	to, err := from.Parse(endpoint)
	if err != nil {
		return "", fmt.Errorf("the endpoint event is not a URL: %q", endpoint)
	}
	if to.Scheme != from.Scheme || to.Host != from.Host {
		return "", fmt.Errorf("the endpoint event refers to another origin, %s://%s", to.Scheme, to.Host)
	}
	return to.String(), nil
}
