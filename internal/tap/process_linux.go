package tap

import (
	"fmt"
	"os"
	"strings"
)

// processName returns the name of a process.
func processName(pid int) string {
	name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
	return strings.TrimSpace(string(name))
}
