package httpapi

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"reflect"
	"strconv"
	"time"

	"github.com/mcptest-dev/mcptest/internal/inspector"
)

// writeTime is how long the client may take to take an answer, once there is one: a slow server may keep us waiting longer.
const writeTime = time.Minute

// A bounded gives the client so long from the first byte on.
type bounded struct {
	http.ResponseWriter
	begun bool
}

// WriteHeader begins the answer.
func (b *bounded) WriteHeader(status int) {
	b.begin()
	b.ResponseWriter.WriteHeader(status)
}

// Write begins the answer if nothing was written before.
func (b *bounded) Write(p []byte) (int, error) {
	b.begin()
	return b.ResponseWriter.Write(p)
}

// Unwrap lets a controller reach the connection.
func (b *bounded) Unwrap() http.ResponseWriter { return b.ResponseWriter }

func (b *bounded) begin() {
	if !b.begun {
		b.begun = true
		_ = http.NewResponseController(b.ResponseWriter).SetWriteDeadline(time.Now().Add(writeTime)) // not every writer can
	}
}

// A handler answers one route.
type handler func(s *Server, w http.ResponseWriter, r *http.Request) error

// get declares a route without a body.
func get[Out any](pattern, doc string, answer func(s *Server, r *http.Request) (Out, error)) Route {
	return Route{Pattern: pattern, Doc: doc, Out: typeOf[Out](), handle: func(s *Server, w http.ResponseWriter, r *http.Request) error {
		out, err := answer(s, r)
		if err != nil {
			return err
		}
		return reply(w, out)
	}}
}

// send declares a route with a body.
func send[In, Out any](pattern, doc string, answer func(s *Server, r *http.Request, in In) (Out, error)) Route {
	return Route{Pattern: pattern, Doc: doc, In: typeOf[In](), Out: typeOf[Out](), handle: func(s *Server, w http.ResponseWriter, r *http.Request) error {
		in, err := body[In](r)
		if err != nil {
			return err
		}
		out, err := answer(s, r, in)
		if err != nil {
			return err
		}
		return reply(w, out)
	}}
}

// bytes declares a route that answers with bytes of a server's. They never have a type that a browser would run.
func bytes(pattern, doc string, answer func(s *Server, r *http.Request) (blob, error)) Route {
	return Route{Pattern: pattern, Doc: doc, Bytes: true, handle: func(s *Server, w http.ResponseWriter, r *http.Request) error {
		out, err := answer(s, r)
		if err != nil {
			return err
		}
		h := w.Header()
		if out.kind == "" {
			out.kind = "application/octet-stream"
		}
		h.Set("Content-Type", out.kind)
		h.Set("Content-Disposition", `attachment; filename="`+out.name+`"`)
		h.Set("Cache-Control", "no-store")
		h.Set("Content-Length", strconv.Itoa(len(out.content)))
		_, _ = w.Write(out.content) // a client that is gone cannot be told
		return nil
	}}
}

// A blob is an answer of bytes. Its name is ours.
type blob struct {
	content    []byte
	kind, name string
}

func typeOf[T any]() reflect.Type {
	if t := reflect.TypeFor[T](); t != reflect.TypeFor[None]() {
		return t
	}
	return nil
}

// handler makes the route one of http: bounds, and errors as answers.
func (s *Server) handler(route Route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		limit := route.limit
		if limit == 0 {
			limit = maxBody
		}
		r.Body = http.MaxBytesReader(w, r.Body, limit)
		if !route.Stream {
			w = &bounded{ResponseWriter: w}
		}
		w.Header().Set("Cache-Control", "no-store")
		err := route.handle(s, w, r)
		var large *http.MaxBytesError
		switch {
		case errors.As(err, &large):
			writeJSON(w, http.StatusRequestEntityTooLarge, Failure{Error: inspector.Problem{Kind: inspector.KindUsage, Message: "the body is larger than " + strconv.FormatInt(large.Limit, 10) + " bytes"}})
		case err != nil:
			fail(w, s.inspector.Problem(err))
		}
	})
}

// body reads the body of a request. What the route does not know is refused.
func body[In any](r *http.Request) (In, error) {
	var in In
	if reflect.TypeFor[In]() == reflect.TypeFor[None]() {
		return in, nil
	}
	dec := json.NewDecoder(r.Body)
	dec.DisallowUnknownFields()
	err := dec.Decode(&in)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return in, err
	case err == nil:
		if _, err = dec.Token(); errors.Is(err, io.EOF) {
			return in, nil
		}
		err = errors.New("there is more behind the object")
	}
	return in, &inspector.Problem{Kind: inspector.KindUsage, Message: "the body cannot be read: " + err.Error()}
}

// reply writes an answer.
func reply(w http.ResponseWriter, out any) error {
	if _, none := out.(None); none {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	writeJSON(w, http.StatusOK, out)
	return nil
}

// fail writes a problem, with the status that its kind has.
func fail(w http.ResponseWriter, p *inspector.Problem) {
	status := http.StatusBadGateway
	switch p.Kind {
	case inspector.KindUsage:
		status = http.StatusBadRequest
	case inspector.KindNotFound:
		status = http.StatusNotFound
	case inspector.KindApproval:
		status = http.StatusForbidden
	case inspector.KindTimeout:
		status = http.StatusGatewayTimeout
	}
	writeJSON(w, status, Failure{Error: *p})
}

func writeJSON(w http.ResponseWriter, status int, out any) {
	h := w.Header()
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(out) // a client that is gone cannot be told
}

// number reads a number of the path.
func number(r *http.Request, name string) (int, error) {
	n, err := strconv.Atoi(r.PathValue(name))
	if err != nil {
		return 0, &inspector.Problem{Kind: inspector.KindNotFound, Message: name + " is no number"}
	}
	return n, nil
}
