package wire

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// passes are credentials that are renewed a number of times.
type passes struct {
	left    int
	number  atomic.Int64
	failure error
}

func (p *passes) Authorize(req *http.Request) {
	req.Header.Set("Authorization", "pass "+string('0'+rune(p.number.Load())))
}

func (p *passes) Renew(_ context.Context, req *http.Request, refused Frame, repeated int) (bool, error) {
	if p.failure != nil || int(p.number.Load()) >= p.left || repeated != int(p.number.Load()) ||
		refused.Status != http.StatusUnauthorized {
		return false, p.failure
	}
	p.number.Add(1)
	return true, nil
}

// picky lets the pass of one number through and echoes the body.
func picky(t *testing.T, pass string, asked *atomic.Int64) Target {
	t.Helper()
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		w.Header().Set("Content-Type", "application/json")
		if r.Header.Get("Authorization") != pass {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = io.WriteString(w, `{"error":"no"}`)
			return
		}
		_, _ = io.Copy(w, r.Body)
	}))
	t.Cleanup(web.Close)
	return Target{URL: web.URL}
}

// A refused request is repeated with better credentials, byte for byte; all of it is recorded.
func TestCredentialsAreRenewed(t *testing.T) {
	var asked atomic.Int64
	target := picky(t, "pass 2", &asked)
	target.Credentials = &passes{left: 3}
	log := NewTranscript(nil)
	conn := dial(t, target, log)
	const body = `{"id":1,"a":1.0}`
	sent := post(t, conn, body)
	f := recv(t, conn)
	if f.Status != 200 || string(f.Body) != body || f.Stream != sent.Stream || !f.End {
		t.Errorf("answer %+v", f)
	}
	var statuses []int
	for n, frame := range log.Since(0) {
		if frame.From == Client && frame.Header.Get("Authorization") != "pass "+string('0'+rune(n/2)) {
			t.Errorf("frame %d carries %q", n, frame.Header.Get("Authorization"))
		}
		if frame.From == Server {
			statuses = append(statuses, frame.Status)
		} else if string(frame.Body) != body {
			t.Errorf("frame %d is %s", n, frame.Body)
		}
	}
	if len(statuses) != 3 || statuses[0] != 401 || statuses[1] != 401 || statuses[2] != 200 {
		t.Errorf("recorded answers %v, want 401, 401, 200", statuses)
	}
}

// Credentials that cannot be renewed leave the refusal as it came; a failure to renew is told, as of a request that the
// server did not look at; and nothing is repeated for ever.
func TestCredentialsEnd(t *testing.T) {
	var asked atomic.Int64
	target := picky(t, "never", &asked)
	target.Credentials = &passes{left: 0}
	conn := dial(t, target, nil)
	post(t, conn, `{}`)
	if f := recv(t, conn); f.Status != 401 || string(f.Body) != `{"error":"no"}` || f.Err != nil {
		t.Errorf("refusal %+v", f)
	}
	target.Credentials = &passes{failure: errors.New("no way to a pass")}
	conn = dial(t, target, nil)
	post(t, conn, `{}`)
	var e *Error
	if f := recv(t, conn); !errors.As(f.Err, &e) || !e.Unsent || !strings.Contains(e.Error(), "no way to a pass") {
		t.Errorf("failure %+v", f)
	}
	asked.Store(0)
	target.Credentials = &passes{left: 9}
	conn = dial(t, target, nil)
	post(t, conn, `{}`)
	if f := recv(t, conn); f.Status != 401 || asked.Load() != 1+maxRenewals {
		t.Errorf("asked %d times, %+v", asked.Load(), f)
	}
}
