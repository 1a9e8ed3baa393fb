package netguard

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

const (
	host  = "127.0.0.1:6280"
	token = "the-token-of-this-run"
)

// newGuarded returns a guarded handler and the number of requests that reached what it guards.
func newGuarded(t *testing.T, o Options) (http.Handler, *int) {
	t.Helper()
	reached := 0
	handler, err := New(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reached++
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			http.Error(w, "cut", http.StatusRequestEntityTooLarge)
		}
	}), o)
	if err != nil {
		t.Fatal(err)
	}
	return handler, &reached
}

func defaults() Options {
	return Options{
		Hosts:  []string{host, "localhost:6280", "[::1]:6280"},
		Token:  token,
		Public: func(r *http.Request) bool { return r.Method == http.MethodGet && r.URL.Path == "/" },
	}
}

// request builds one that passes; each header overrides, a "-" value removes.
func request(method, path, body string, headers ...string) *http.Request {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host = host
	r.Header.Set("Authorization", "Bearer "+token)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		switch name, value := headers[i], headers[i+1]; {
		case name == "Host":
			r.Host = value
		case value == "-":
			r.Header.Del(name)
		default:
			r.Header.Set(name, value)
		}
	}
	return r
}

func TestGuard(t *testing.T) {
	type headers []string
	tests := []struct {
		name, method, path, body string
		headers                  headers
		want                     int
	}{
		{"plain call", "POST", "/api", "{}", nil, 200},
		{"charset", "POST", "/api", "{}", headers{"Content-Type", "application/json; charset=UTF-8"}, 200},
		{"own origin", "POST", "/api", "{}", headers{"Origin", "http://127.0.0.1:6280", "Sec-Fetch-Site",
			"same-origin"}, 200},
		{"other spelling of the host", "GET", "/api", "", headers{"Host", "LOCALHOST:6280"}, 200},
		{"typed into the address bar", "GET", "/", "", headers{"Sec-Fetch-Site", "none", "Authorization", "-"}, 200},
		{"bearer in lower case", "GET", "/api", "", headers{"Authorization", "bearer " + token}, 200},
		{"delete", "DELETE", "/api", "", nil, 200},

		{"no token", "GET", "/api", "", headers{"Authorization", "-"}, 401},
		{"no token on POST to a public path", "POST", "/", "{}", headers{"Authorization", "-"}, 401},
		{"wrong token", "GET", "/api", "", headers{"Authorization", "Bearer x"}, 401},
		{"prefix of the token", "GET", "/api", "", headers{"Authorization", "Bearer " + token[:5]}, 401},
		{"token and more", "GET", "/api", "", headers{"Authorization", "Bearer " + token + "x"}, 401},
		{"blank token", "GET", "/api", "", headers{"Authorization", "Bearer "}, 401},
		{"garbage", "GET", "/api", "", headers{"Authorization", "\x00\xff"}, 401},
		{"other scheme", "GET", "/api", "", headers{"Authorization", "Basic " + token}, 401},
		{"token in the query", "GET", "/api?token=" + token, "", headers{"Authorization", "-"}, 401},
		{"token in a cookie", "GET", "/api", "", headers{"Authorization", "-", "Cookie", "token=" + token}, 401},
		{"forged proxy headers", "GET", "/api", "",
			headers{"Authorization", "-", "X-Forwarded-For", "127.0.0.1", "X-Forwarded-Host", host, "X-Real-Ip",
				"127.0.0.1"}, 401},

		{"evil host", "GET", "/", "", headers{"Host", "evil.example"}, 403},
		{"rebinding host with our port", "GET", "/", "", headers{"Host", "evil.example:6280"}, 403},
		{"host without port", "GET", "/", "", headers{"Host", "127.0.0.1"}, 403},
		{"host with a trailing dot", "GET", "/", "", headers{"Host", "localhost.:6280"}, 403},
		{"host as a suffix", "GET", "/", "", headers{"Host", "localhost:6280.evil.example"}, 403},
		{"host as a number", "GET", "/", "", headers{"Host", "2130706433:6280"}, 403},
		{"no host", "GET", "/", "", headers{"Host", ""}, 403},
		{"forwarded host does not count", "GET", "/", "", headers{"Host", "evil.example", "X-Forwarded-Host", host},
			403},

		{"evil origin reads", "GET", "/", "", headers{"Origin", "https://evil.example"}, 403},
		{"evil origin writes", "POST", "/api", "{}", headers{"Origin", "https://evil.example"}, 403},
		{"evil origin asks first", "OPTIONS", "/api", "",
			headers{"Origin", "https://evil.example", "Access-Control-Request-Method", "POST"}, 403},
		{"null origin", "POST", "/api", "{}", headers{"Origin", "null"}, 403},
		{"https instead of http", "POST", "/api", "{}", headers{"Origin", "https://127.0.0.1:6280"}, 403},
		{"other port", "POST", "/api", "{}", headers{"Origin", "http://127.0.0.1:6281"}, 403},
		{"origin without port", "POST", "/api", "{}", headers{"Origin", "http://127.0.0.1"}, 403},
		{"suffix", "POST", "/api", "{}", headers{"Origin", "http://localhost.evil.example:6280"}, 403},
		{"one local name from another", "POST", "/api", "{}", headers{"Origin", "http://localhost:6280"}, 403},
		{"blank origin", "POST", "/api", "{}", headers{"Origin", ""}, 403},
		{"cross-site", "GET", "/", "", headers{"Sec-Fetch-Site", "cross-site"}, 403},
		{"same-site", "GET", "/", "", headers{"Sec-Fetch-Site", "same-site"}, 403},
		{"event stream from elsewhere", "GET", "/api", "",
			headers{"Origin", "https://evil.example", "Accept", "text/event-stream"}, 403},
		{"websocket from elsewhere", "GET", "/api", "",
			headers{"Origin", "https://evil.example", "Upgrade", "websocket", "Connection", "Upgrade"}, 403},

		{"options", "OPTIONS", "/api", "", nil, 405},
		{"put", "PUT", "/api", "{}", nil, 405},
		{"trace", "TRACE", "/api", "", nil, 405},
		{"text", "POST", "/api", "{}", headers{"Content-Type", "text/plain"}, 415},
		{"form", "POST", "/api", "a=b", headers{"Content-Type", "application/x-www-form-urlencoded"}, 415},
		{"multipart", "POST", "/api", "--x", headers{"Content-Type", "multipart/form-data; boundary=x"}, 415},
		{"no type", "POST", "/api", "{}", headers{"Content-Type", "-"}, 415},
		{"type that only contains ours", "POST", "/api", "{}", headers{"Content-Type", "text/plain; application/json"},
			415},
		{"other charset", "POST", "/api", "{}", headers{"Content-Type", "application/json; charset=utf-7"}, 415},
		{"type is checked before the token", "POST", "/api", "{}",
			headers{"Content-Type", "text/plain", "Authorization", "-"}, 415},
		{"host is checked before all", "POST", "/api", "{}",
			headers{"Host", "evil", "Content-Type", "text/plain", "Authorization", "-"}, 403},
		{"declared too large", "POST", "/api", strings.Repeat("x", MaxBody+1), nil, 413},
		{"token is checked before the size", "POST", "/api", strings.Repeat("x", MaxBody+1),
			headers{"Authorization", "-"}, 401},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			handler, reached := newGuarded(t, defaults())
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, request(test.method, test.path, test.body, test.headers...))
			if w.Code != test.want {
				t.Errorf("status %d, want %d", w.Code, test.want)
			}
			if got, want := *reached, map[bool]int{true: 1, false: 0}[test.want == 200]; got != want {
				t.Errorf("the handler ran %d times, want %d", got, want)
			}
			if test.want != 200 {
				checkRefusal(t, w)
			}
		})
	}
}

func checkRefusal(t *testing.T, w *httptest.ResponseRecorder) {
	t.Helper()
	if got, want := w.Body.String(), http.StatusText(w.Code)+"\n"; got != want {
		t.Errorf("body %q, want %q", got, want)
	}
	for name := range w.Header() {
		if strings.HasPrefix(name, "Access-Control-") {
			t.Errorf("the refusal has %s", name)
		}
	}
}

func TestGuardRepeatedHeaders(t *testing.T) {
	for name, second := range map[string]string{
		"Origin": "http://" + host, "Authorization": "Bearer " + token, "Content-Type": "application/json",
		"Sec-Fetch-Site": "cross-site",
	} {
		handler, reached := newGuarded(t, defaults())
		r := request("POST", "/api", "{}", "Origin", "http://"+host, "Sec-Fetch-Site", "same-origin")
		r.Header.Add(name, second)
		handler.ServeHTTP(httptest.NewRecorder(), r)
		if *reached != 0 {
			t.Errorf("a second %s went through", name)
		}
	}
}

func TestGuardAllowedOrigin(t *testing.T) {
	o := defaults()
	o.Origins = []string{"https://App.example"}
	handler, reached := newGuarded(t, o)
	handler.ServeHTTP(httptest.NewRecorder(), request("POST", "/api", "{}", "Origin", "https://app.example",
		"Sec-Fetch-Site", "cross-site"))
	if *reached != 1 {
		t.Errorf("an allowed origin was refused")
	}
}

// A body without a declared length is cut while it is read.
func TestGuardChunkedBody(t *testing.T) {
	var failed error
	handler, err := New(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var large *http.MaxBytesError
		if _, failed = io.Copy(io.Discard, r.Body); errors.As(failed, &large) {
			w.WriteHeader(http.StatusRequestEntityTooLarge)
		}
	}), Options{Hosts: []string{host}, Open: true, MaxBody: 1000})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Host = host
		handler.ServeHTTP(w, r)
	}))
	defer server.Close()
	for size, want := range map[int]int{1000: 200, 1001: 413} {
		body := io.MultiReader(bytes.NewReader(make([]byte, size))) // hides the length
		answer, err := http.Post(server.URL, "application/json", body)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("%d bytes: status %d (%v), want %d", size, answer.StatusCode, failed, want)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	for name, o := range map[string]Options{
		"no hosts":         {Token: token},
		"blank host":       {Token: token, Hosts: []string{""}},
		"no token":         {Hosts: []string{host}},
		"blank token":      {Hosts: []string{host}, Token: " "},
		"token with blank": {Hosts: []string{host}, Token: token + "\n"},
		"null origin":      {Hosts: []string{host}, Token: token, Origins: []string{"null"}},
		"blank origin":     {Hosts: []string{host}, Token: token, Origins: []string{""}},
		"any origin":       {Hosts: []string{host}, Token: token, Origins: []string{"*"}},
	} {
		if _, err := New(http.NotFoundHandler(), o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestNewToken(t *testing.T) {
	first, second := NewToken(), NewToken()
	if first == second || len(first) < 43 || strings.Trim(first,
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
		t.Errorf("tokens %q and %q", first, second)
	}
}
