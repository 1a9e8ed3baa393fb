package browser

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is how long a test waits for what must come. It is a guard against hanging, never a measure.
const patience = 30 * time.Second

// An inspector is a running mcptest inspect.
type inspector struct {
	address string // as it was printed, with the token
	base    string
	token   string
}

var printedAddress = regexp.MustCompile(`http://\S+#\S*token=\S+`)

// inspect starts mcptest inspect in a home of its own, so that no config file of the machine is found.
func inspect(t *testing.T, args ...string) *inspector {
	t.Helper()
	in, _ := inspectIn(t, t.TempDir(), args...)
	return in
}

// inspectIn starts it in a home that may have been used before. What it returns besides ends it.
func inspectIn(t *testing.T, home string, args ...string) (in *inspector, stop func()) {
	t.Helper()
	return pageOf(t, home, append([]string{"inspect", "--listen", "127.0.0.1:0"}, args...)...)
}

// pageOf starts a command that serves the page.
func pageOf(t *testing.T, home string, args ...string) (in *inspector, stop func()) {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = home
	cmd.Env = homeEnv(home)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stop = sync.OnceFunc(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		hung := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		hung.Stop()
	})
	t.Cleanup(stop)
	in = &inspector{address: readAddress(t, out, &said)}
	parsed, err := url.Parse(in.address)
	if err != nil {
		t.Fatal(err)
	}
	in.base = "http://" + parsed.Host
	_, in.token, _ = strings.Cut(parsed.Fragment, "token=")
	return in, stop
}

// homeEnv is the environment of programs with a home of their own.
func homeEnv(home string) []string {
	return append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_STATE_HOME="+home, "XDG_DATA_HOME="+home)
}

// readAddress waits for the address and goes on reading, so that the program is never stuck writing.
func readAddress(t *testing.T, out io.Reader, said *strings.Builder) string {
	t.Helper()
	found := make(chan string, 1)
	go func() {
		defer close(found)
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			if address := printedAddress.FindString(lines.Text()); address != "" {
				found <- address
				break
			}
		}
		_, _ = io.Copy(io.Discard, out)
	}()
	select {
	case address, ok := <-found:
		if ok {
			return address
		}
		t.Fatalf("mcptest inspect ended without an address: %s", said)
	case <-time.After(patience):
		t.Fatal("mcptest inspect printed no address")
	}
	return ""
}

// get reads from the API as the page does.
func (in *inspector) get(t *testing.T, path string) []byte {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, in.base+"/api"+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+in.token)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("GET %s: %s, %v, %s", path, answer.Status, err, body)
	}
	return body
}

// decode reads JSON from the API.
func (in *inspector) decode(t *testing.T, path string, into any) {
	t.Helper()
	if err := json.Unmarshal(in.get(t, path), into); err != nil {
		t.Fatalf("GET %s: %v", path, err)
	}
}

// link is the id of the only connection.
func (in *inspector) link(t *testing.T) string {
	t.Helper()
	var all struct{ Links []struct{ ID string } }
	in.decode(t, "/links", &all)
	if len(all.Links) != 1 {
		t.Fatalf("there are %d connections, want one", len(all.Links))
	}
	return all.Links[0].ID
}

// opened is the id of the only connection, once it is open.
func (in *inspector) opened(t *testing.T) string {
	t.Helper()
	id := in.link(t)
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		var link struct{ State string }
		if in.decode(t, "/links/"+id, &link); link.State == "open" {
			return id
		}
		if time.Now().After(end) {
			t.Fatalf("the connection is %s, want it open", link.State)
		}
	}
}

// echoed is the text of the answer of a call to demo-guide: the bytes that it received as arguments.
func (in *inspector) echoed(t *testing.T, link string, call int) string {
	t.Helper()
	var answer struct {
		Result struct{ Content []struct{ Text string } }
	}
	in.decode(t, fmt.Sprintf("/links/%s/calls/%d/raw", link, call), &answer)
	if len(answer.Result.Content) != 1 {
		t.Fatalf("call %d: %d blocks of content, want one", call, len(answer.Result.Content))
	}
	return answer.Result.Content[0].Text
}
