package access

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func hash(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

func TestMay(t *testing.T) {
	for _, test := range []struct {
		allow, deny  []string
		server, tool string
		want         bool
	}{
		{nil, nil, "files", "read", true},
		{[]string{"files"}, nil, "files", "read", true},
		{[]string{"files"}, nil, "files2", "read", false},
		{[]string{"files/read*"}, nil, "files", "read_all", true},
		{[]string{"files/read*"}, nil, "files", "Read", false},
		{[]string{"files/read*"}, nil, "files", "write", false},
		{nil, []string{"files/*delete*"}, "files", "do_delete_it", false},
		{[]string{"*"}, []string{"files"}, "files", "read", false},
		{[]string{"*/read"}, nil, "a", "read", true},
		{[]string{"f*s/x"}, nil, "files", "x", true},
		{[]string{"f*s/x"}, nil, "fs.evil", "x", false},
	} {
		c := &Caller{allow: test.allow, deny: test.deny}
		if got := c.May(test.server, test.tool); got != test.want {
			t.Errorf("allow %v, deny %v: May(%s, %s) = %v, want %v", test.allow, test.deny, test.server, test.tool, got,
				test.want)
		}
	}
}

func TestRights(t *testing.T) {
	seen := map[string]int{}
	for i, c := range []*Caller{
		{}, {allow: []string{"a"}}, {deny: []string{"a"}}, {allow: []string{"a", "b"}}, {allow: []string{"a 1 b"}},
		{allow: []string{"a"}, deny: []string{"b"}}, {allow: []string{"a1 b"}}, {allow: []string{"b", "a"}},
	} {
		if other, has := seen[c.Rights()]; has {
			t.Errorf("callers %d and %d have the same rights %q, expected different ones", other, i, c.Rights())
		}
		seen[c.Rights()] = i
	}
	if a, b := (&Caller{Name: "a", allow: []string{"x"}}), (&Caller{Name: "b", allow: []string{"x"}}); a.Rights() != b.Rights() {
		t.Errorf("two callers that may use the same have the rights %q and %q", a.Rights(), b.Rights())
	}
}

func TestRequire(t *testing.T) {
	p, err := New(Config{Callers: []CallerConfig{{Name: "ada", TokenSHA256: hash("secret-a")},
		{Name: "bob", TokenSHA256: hash("secret-b"), Rate: 0.001, Burst: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	handler := p.Require(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_,
			_ = w.Write([]byte(CallerOf(r.Context())))
	}))
	for _, test := range []struct {
		header string
		status int
		body   string
	}{
		{"", 401, ""}, {"Bearer", 401, ""}, {"Bearer ", 401, ""}, {"Bearer wrong", 401, ""}, {"secret-a", 401, ""},
		{"Basic secret-a", 401, ""},
		{"Bearer " + hash("secret-a"), 401, ""}, {"Bearer secret-a ", 401, ""},
		{"Bearer secret-a", 200, "ada"}, {"Bearer secret-b", 200, "bob"}, {"Bearer secret-b", 429, ""},
		{"Bearer secret-a", 200, "ada"}, {"bearer secret-a", 200, "ada"}, {"BEARER secret-a", 200, "ada"},
	} {
		r := httptest.NewRequest(http.MethodPost, "/mcp?token=secret-a", nil)
		if test.header != "" {
			r.Header.Set("Authorization", test.header)
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code != test.status || test.body != "" && w.Body.String() != test.body {
			t.Errorf("%q: %d %q, want %d %q", test.header, w.Code, w.Body, test.status, test.body)
		}
		if w.Code == 401 && !strings.HasPrefix(w.Header().Get("WWW-Authenticate"), "Bearer") {
			t.Errorf("%q: no WWW-Authenticate", test.header)
		}
	}
	var figures bytes.Buffer
	p.WriteMetrics(&figures)
	for _, want := range []string{`refused_requests_total{status="401"} 8`, `refused_requests_total{status="429"} 1`} {
		if !strings.Contains(figures.String(), want) {
			t.Errorf("metrics: %s, want %s", &figures, want)
		}
	}
}

func TestReplaceKeepsTheOldOneOnABadConfig(t *testing.T) {
	p := Single("ada", "t")
	for _, bad := range []CallerConfig{{Name: "x", TokenSHA256: "t"}, {TokenSHA256: hash("t")},
		{Name: "x", TokenSHA256: hash("t"), Allow: []string{""}}} {
		if err := p.Replace(Config{Callers: []CallerConfig{bad}}); err == nil {
			t.Errorf("%+v was taken", bad)
		}
	}
	if c := p.Identify("t"); c == nil || c.Name != "ada" || p.Find("ada") != c {
		t.Errorf("after bad configs t is %+v, want ada", c)
	}
	if err := p.Replace(Config{}); err != nil || p.Identify("t") != nil || p.Find("ada") != nil {
		t.Errorf("after an empty config ada is still known (%v)", err)
	}
}

func TestSees(t *testing.T) {
	for _, test := range []struct {
		allow, deny []string
		server      string
		want        bool
	}{
		{nil, nil, "files", true},
		{nil, []string{"files"}, "files", false},
		{nil, []string{"files/*"}, "files", false},
		{[]string{"files"}, []string{"files/*"}, "files", false},
		{nil, []string{"files/delete*"}, "files", true},
		{nil, []string{"files/*"}, "other", true},
		{[]string{"files/read"}, nil, "files", true},
		{[]string{"files/read"}, nil, "other", false},
	} {
		c := &Caller{allow: test.allow, deny: test.deny}
		if got := c.Sees(test.server); got != test.want {
			t.Errorf("allow %v, deny %v: Sees(%s) = %v, want %v", test.allow, test.deny, test.server, got, test.want)
		}
	}
}

// The rate is about requests: a stream that is opened or a session that is ended takes nothing of it.
func TestRateCountsRequestsAlone(t *testing.T) {
	p, err := New(Config{Callers: []CallerConfig{{Name: "ada", TokenSHA256: hash("t"), Rate: 0.001, Burst: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	handler := p.Require(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	for i, step := range []struct {
		method string
		want   int
	}{{"GET", 200}, {"DELETE", 200}, {"POST", 200}, {"POST", 429}, {"GET", 200}, {"DELETE", 200}} {
		r := httptest.NewRequest(step.method, "/mcp", nil)
		r.Header.Set("Authorization", "Bearer t")
		w := httptest.NewRecorder()
		if handler.ServeHTTP(w, r); w.Code != step.want {
			t.Errorf("request %d, %s: %d, want %d", i, step.method, w.Code, step.want)
		}
	}
}

// A new config does not give callers back what they have used, unless it allows more.
func TestRatesSurviveReplace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		config := func(perSecond float64, burst int) Config {
			return Config{Callers: []CallerConfig{{Name: "ada", TokenSHA256: hash("t"), Rate: perSecond, Burst: burst}}}
		}
		p, err := New(config(2, 3))
		if err != nil {
			t.Fatal(err)
		}
		take := func(want int) {
			t.Helper()
			taken := 0
			for range 10 {
				if p.Find("ada").Allow() {
					taken++
				}
			}
			if taken != want {
				t.Errorf("%d taken, want %d", taken, want)
			}
		}
		replace := func(c Config) {
			t.Helper()
			if err := p.Replace(c); err != nil {
				t.Fatal(err)
			}
		}
		take(3)
		replace(config(2, 3))
		take(0)
		time.Sleep(time.Second)
		take(2)
		replace(config(4, 8))
		take(0)
		time.Sleep(time.Second)
		take(4)
		replace(Config{})
		replace(config(2, 3)) // another caller of the same name
		take(3)
	})
}

// A request is judged by one config, the old one or the new one, never by parts of both.
func TestReplaceIsOneStep(t *testing.T) {
	config := func(name string) Config {
		return Config{Callers: []CallerConfig{{Name: name, TokenSHA256: hash("t")}}}
	}
	p, err := New(config("ada"))
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 2000 {
			_ = p.Replace(config([]string{"bob", "ada"}[i%2]))
		}
	}()
	for {
		select {
		case <-done:
			return
		default:
		}
		if s := p.state.Load(); s.byName[s.identify("t").Name] == nil {
			t.Fatal("the token is that of a caller who is not known")
		}
	}
}

func TestAuditHasNoArguments(t *testing.T) {
	var out bytes.Buffer
	NewAudit(&out).Write(Entry{Caller: "ada", Tool: "x", Outcome: "SUCCESS"}, json.RawMessage(`{"password":"hunter2"}`))
	if strings.Contains(out.String(), "hunter2") || !strings.Contains(out.String(), hash(`{"password":"hunter2"}`)) {
		t.Errorf("%s, want the hash and not the value", &out)
	}
}

// A log that cannot be written any more is told of, once.
func TestAuditFailure(t *testing.T) {
	full := errors.New("the disk is full")
	audit, told := NewAudit(brokenWriter{full}), 0
	audit.OnFailure = func(err error) {
		if told++; err != full {
			t.Errorf("told %v, want %v", err, full)
		}
	}
	audit.Write(Entry{}, nil)
	audit.Write(Entry{}, nil)
	if told != 1 {
		t.Errorf("told %d times, want once", told)
	}
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }
