package cli

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// version --check prints the latest release; an answer that names none is an error with exit status 3.
func TestVersionCheck(t *testing.T) {
	const sum = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	checksums := sum + "  mcptest-linux-x64-1.3.0.tgz\n" + sum + "  mcptest_1.3.0_linux_amd64.tar.gz\n"
	for _, c := range []struct {
		status int
		body   string
		exit   int
		out    string
		err    string
	}{
		{200, checksums, 0, "\nlatest    1.3.0, https://github.com/mcptest-dev/mcptest/releases/tag/v1.3.0\n", ""},
		{404, "Not Found", 3, "", "mcptest: cannot find the latest release: no release at http://"},
		{500, checksums, 3, "", "got status 500\n"},
		{200, "<html>sign in</html>", 3, "", "checksums.txt, got status 200\n"},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/latest/download/checksums.txt" {
				t.Errorf("unexpected request %s", r.URL)
			}
			w.WriteHeader(c.status)
			_, _ = w.Write([]byte(c.body))
		}))
		var out, problems bytes.Buffer
		exit := Run(t.Context(), &Env{Args: []string{"version", "--check"}, Stdout: &out, Stderr: &problems,
			Getenv: func(name string) string { return map[string]string{"MCPTEST_RELEASES": server.URL}[name] }})
		server.Close()
		if exit != c.exit || !strings.Contains(out.String(), c.out) || !strings.Contains(problems.String(), c.err) {
			t.Errorf("%d %q: expected exit status %d, %q and %q, got %d\n%s%s", c.status, c.body, c.exit, c.out, c.err,
				exit, &out, &problems)
		}
	}
	if got, want := (build{Version: "1.3.0", Latest: "1.3.0"}).latest(), "1.3.0, this version"; got != want {
		t.Errorf("expected %q, got %q", want, got)
	}
}
