package cli

import (
	"context"
	"fmt"
	"net/url"
	"os/exec"
)

// openBrowser opens a web address in the person's browser. It is handed over as an argument of its own, never through a
// shell, and only if it is one of the web: a server may have named it.
func openBrowser(_ context.Context, address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") {
		return fmt.Errorf("%q is no address for a browser", address)
	}
	argv := opener(u.String())
	cmd := exec.Command(argv[0], argv[1:]...)
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // it may stay as long as the browser does
	return nil
}

// browse opens an address; where that is not possible the person opens it.
func (a *app) browse(ctx context.Context, address string) error {
	if err := openBrowser(ctx, address); err != nil {
		fmt.Fprintf(a.note(), "note: no browser could be opened (%v); open the address yourself\n", err)
	}
	return nil
}
