//go:build !linux

package processes

import (
	"errors"
	"time"
)

// Time is only known on Linux.
func Time(int) (time.Duration, error) {
	return 0, errors.New("the CPU time of other processes is only known on Linux")
}
