// Command install installs the hosts that the tests start with MCPTEST_FULL: go run ./testservers/hosts/install
package main

import (
	"fmt"
	"os"

	"github.com/mcptest-dev/mcptest/testservers/hosts"
)

func main() {
	if err := hosts.Install(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
