package workbench

import (
	"errors"
	"syscall"
)

// ListenProblem describes why an address cannot be listened on.
func ListenProblem(address string, err error) string {
	var number syscall.Errno
	if errors.As(err, &number) {
		return "cannot listen on " + address + ": " + number.Error()
	}
	return err.Error()
}
