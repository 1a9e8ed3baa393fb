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
			t.Errorf("allow %v, deny %v: May(%s, %s) = %v, want %v", test.allow, test.deny, test.server, test.tool, got, test.want)
		}
	}
}

func TestRequire(t *testing.T) {
	p, err := New(Config{Callers: []CallerConfig{{Name: "ada", TokenSHA256: hash("secret-a")}, {Name: "bob", TokenSHA256: hash("secret-b"), Rate: 0.001, Burst: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	handler := p.Require(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte(CallerOf(r.Context()))) }))
	for _, test := range []struct {
		header string
		status int
		body   string
	}{
		{"", 401, ""}, {"Bearer", 401, ""}, {"Bearer ", 401, ""}, {"Bearer wrong", 401, ""}, {"secret-a", 401, ""}, {"Basic secret-a", 401, ""},
		{"Bearer " + hash("secret-a"), 401, ""}, {"Bearer secret-a ", 401, ""},
		{"Bearer secret-a", 200, "ada"}, {"Bearer secret-b", 200, "bob"}, {"Bearer secret-b", 429, ""}, {"Bearer secret-a", 200, "ada"},
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
	for _, bad := range []CallerConfig{{Name: "x", TokenSHA256: "t"}, {TokenSHA256: hash("t")}, {Name: "x", TokenSHA256: hash("t"), Allow: []string{""}}} {
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

func TestBucket(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBucket(2, 3)
		taken := 0
		for range 10 {
			if b.take() {
				taken++
			}
		}
		time.Sleep(time.Second)
		for range 10 {
			if b.take() {
				taken++
			}
		}
		if taken != 5 {
			t.Errorf("%d taken, want the burst of 3 and 2 a second later", taken)
		}
	})
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
