package cli

import (
	"context"
	"fmt"
	"net/url"
	"os/exec"
)

// openBrowser opens a URL in the user's browser. The URL is passed as a separate argument, never through a
// shell, and only if it is an http or https URL: it may come from a server.
func openBrowser(_ context.Context, address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") {
		return fmt.Errorf("not an http or https URL: %q", address)
	}
	argv := opener(u.String())
	cmd := exec.Command(argv[0], argv[1:]...)
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // it may run as long as the browser does
	return nil
}

// browse opens a URL; if that is not possible, the user opens it.
func (a *app) browse(ctx context.Context, address string) error {
	if err := openBrowser(ctx, address); err != nil {
		fmt.Fprintf(a.note(), "note: could not open a browser (%v); open the URL manually\n", err)
	}
	return nil
}
