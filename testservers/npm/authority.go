package npm

import (
	"bufio"
	"bytes"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Authority starts a real authorization server (oidc-provider) until the test ends, and returns its issuer. The cookie
// "as" of a browser is its user, who consents to everything. Access tokens have this lifetime.
func (in Install) Authority(t testing.TB, life time.Duration) (issuer string) {
	t.Helper()
	cmd := exec.Command(in.Node, filepath.Join(filepath.Dir(in.dir), "authority", "authority.mjs"),
		strconv.Itoa(int(life.Seconds())))
	var log bytes.Buffer
	cmd.Stderr = &log
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if issuer = strings.TrimSpace(lines.Text()); strings.HasPrefix(issuer, "http://") {
			return issuer
		}
	}
	t.Fatalf("the authorization server does not start: %s", log.String())
	return ""
}
