// Command install installs the SDKs that the matrix tests run: go run ./testservers/matrix/install
package main

import (
	"fmt"
	"os"

	"github.com/mcptest-dev/mcptest/testservers/matrix"
)

func main() {
	if err := matrix.Install(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
