package cli

import (
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// openPage opens the page in the person's browser. The address holds the token, and the arguments of a program can be read
// by others on the machine: so the browser is given a file that only the person can read, which leads to the page. What it
// returns removes the file.
func openPage(page string) (forget func(), err error) {
	dir, err := os.MkdirTemp("", "mcptest-open-") // readable by its owner alone
	if err != nil {
		return func() {}, err
	}
	forget = func() { _ = os.RemoveAll(dir) }
	file := filepath.Join(dir, "open.html")
	text := fmt.Sprintf("<!doctype html><meta charset=\"utf-8\"><meta name=\"referrer\" content=\"no-referrer\"><title>mcptest</title>\n"+
		"<meta http-equiv=\"refresh\" content=\"0;url=%s\"><a href=\"%[1]s\">Open the inspector</a>\n", html.EscapeString(page))
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return forget, err
	}
	argv := opener(file)
	cmd := exec.Command(argv[0], argv[1:]...) // the browser is the person's, and outlives us
	if err := cmd.Start(); err != nil {
		return forget, err
	}
	go func() { _ = cmd.Wait() }()
	return forget, nil
}

// opener is the program by which the system opens a file or an address.
func opener(file string) []string {
	switch runtime.GOOS {
	case "darwin":
		return []string{"open", file}
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler", file}
	}
	return []string{"xdg-open", file}
}
