package main

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/mcptest-dev/mcptest/testservers/tenants"
)

// A finding about a token, in every format, and the transcript do not contain the token.
func TestIsolateRedactsTokens(t *testing.T) {
	server := httptest.NewServer(tenants.New("last token in a result"))
	defer server.Close()
	t.Setenv("TOKEN_OF_TEST", tenants.AliceToken)
	dir := t.TempDir()
	file := filepath.Join(dir, "token")
	if err := os.WriteFile(file, []byte(tenants.BobToken+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup // each run mostly waits
	for _, format := range []string{"text", "json", "html"} {
		group.Go(func() { wantRedacted(t, server.URL, file, filepath.Join(dir, format+".jsonl"), format) })
	}
	group.Wait()
}

func wantRedacted(t *testing.T, url, file, frames, format string) {
	t.Helper()
	stdout, stderr, code := runCLI("isolate", "--as", "A=token:$TOKEN_OF_TEST", "--as", "B=token:@"+file, url,
		"--format", format, "--transcript", frames)
	if code != 1 || !strings.Contains(stdout, "ISO-013") {
		t.Errorf("%s: exit %d, expected 1 and ISO-013\n%s%s", format, code, stdout, stderr)
	}
	written, err := os.ReadFile(frames)
	if err != nil {
		t.Error(err)
	}
	for _, token := range []string{tenants.AliceToken, tenants.BobToken} {
		if strings.Contains(stdout+stderr, token) {
			t.Errorf("%s contains a token:\n%s%s", format, stdout, stderr)
		}
		if strings.Contains(string(written), "Bearer "+token) {
			t.Errorf("the transcript contains a header with a token")
		}
	}
}
