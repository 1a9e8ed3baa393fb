//go:build unix

package tap

import (
	"os"
	"os/signal"
	"syscall"
)

// forwarded lists the signals that are passed on to the server. A signal that our parent told us to ignore is
// ignored by the server too, which inherits that.
func forwarded() []os.Signal {
	var all []os.Signal
	for _, s := range []os.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM,
		syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGALRM, syscall.SIGWINCH, syscall.SIGCONT} {
		if !signal.Ignored(s) {
			all = append(all, s)
		}
	}
	return all
}

// survivePipes makes a write to a closed stdout or stderr an error that is passed on to the server.
func survivePipes() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }
