package cli

import (
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// openPage opens the page in the user's browser. The URL contains the token, and other local users can read the
// arguments of a program: so the browser gets a file that only the user can read, which redirects to the page.
// The returned function removes the file.
func openPage(page string) (forget func(), err error) {
	dir, err := os.MkdirTemp("", "mcptest-open-") // readable only by its owner
	if err != nil {
		return func() {}, err
	}
	forget = func() { _ = os.RemoveAll(dir) }
	file := filepath.Join(dir, "open.html")
	text := fmt.Sprintf("<!doctype html><meta charset=\"utf-8\"><meta name=\"referrer\" "+
		"content=\"no-referrer\"><title>mcptest</title>\n"+
		"<meta http-equiv=\"refresh\" content=\"0;url=%s\"><a href=\"%[1]s\">Open the inspector</a>\n",
		html.EscapeString(page))
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return forget, err
	}
	argv := opener(file)
	cmd := exec.Command(argv[0], argv[1:]...) // the browser belongs to the user, and outlives us
	if err := cmd.Start(); err != nil {
		return forget, err
	}
	go func() { _ = cmd.Wait() }()
	return forget, nil
}

// opener returns the program with which the system opens a file or a URL.
func opener(file string) []string {
	switch runtime.GOOS {
	case "darwin":
		return []string{"open", file}
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler", file}
	}
	return []string{"xdg-open", file}
}
