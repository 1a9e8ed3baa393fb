package wiretest

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/leaktest"
)

func TestMain(m *testing.M) {
	Play()
	leaktest.Main(m)
}

const script = `
start
	stderr "hi\n"
on a
	result {"first":$params}
on a
	send {"n":$n,"fill":"$fill(3)","nest":$nest(2)}
on *
	error -32601 what?
`

var talk = []struct{ say, want string }{
	{`{"id":"x","method":"a","params":{"k":1.0}}`, `{"jsonrpc":"2.0","id":"x","result":{"first":{"k":1.0}}}`},
	{`{"id":2,"method":"a"}`, `{"n":2,"fill":"xxx","nest":[[]]}`},
	{`{"id":3,"method":"b"}`, `{"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"what?"}}`},
}

func TestInProcess(t *testing.T) {
	server := New(script)
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- server.Serve(context.Background(), inR, outW) }()
	converse(t, inW, outR)
	_ = inW.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if got := server.Got("a"); len(got) != 2 || got[0] != talk[0].say {
		t.Errorf("Got(a) = %q", got)
	}
}

func TestProcess(t *testing.T) {
	argv, env := Command(script)
	cmd := exec.Command(argv[0])
	cmd.Env = env
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	converse(t, in, out)
	_ = in.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

func converse(t *testing.T, in io.Writer, out io.Reader) {
	t.Helper()
	lines := bufio.NewReader(out)
	for _, turn := range talk {
		if _, err := io.WriteString(in, turn.say+"\n"); err != nil {
			t.Fatal(err)
		}
		if got, err := lines.ReadString('\n'); err != nil || got != turn.want+"\n" {
			t.Errorf("%s: %q, %v; want %q", turn.say, got, err, turn.want)
		}
	}
}

func TestHTTP(t *testing.T) {
	web := httptest.NewServer(New(script + "on sse\n\tsse\n\tresult 1\n\twrite \"raw\"\non no\n\tstatus " +
		"418\n\theader X-A: b\n"))
	defer web.Close()
	defer http.DefaultClient.CloseIdleConnections()
	for _, turn := range append(talk, struct{ say, want string }{`{"id":4,"method":"sse"}`,
		"data: {\"jsonrpc\":\"2.0\",\"id\":4,\"result\":1}\n\nraw"}) {
		resp, err := http.Post(web.URL, "application/json", strings.NewReader(turn.say))
		if err != nil {
			t.Fatal(err)
		}
		got, _ := io.ReadAll(resp.Body)
		if _ = resp.Body.Close(); string(got) != turn.want {
			t.Errorf("%s: %q, want %q", turn.say, got, turn.want)
		}
	}
	for method, want := range map[string]int{http.MethodGet: 405, http.MethodPost: 418} {
		req, _ := http.NewRequest(method, web.URL, strings.NewReader(`{"id":1,"method":"no"}`))
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if _ = resp.Body.Close(); resp.StatusCode != want {
			t.Errorf("%s: %d, want %d", method, resp.StatusCode, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for script, want := range map[string]string{
		"\tsend x":               "line 1: a step before the first rule",
		"off a\n":                `line 1: "off a" does not start a rule`,
		"start\n\n\tsing x":      `line 3: sing x: unknown step "sing"`,
		"start\n\twrite x":       "line 2: write x: invalid syntax",
		"start\n\tsleep soon":    "line 2: sleep soon",
		"start\n\trepeat x hang": "line 2: repeat x hang",
	} {
		if _, err := Parse(script); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("Parse(%q): %v, want %q", script, err, want)
		}
	}
}
