// Command install installs the SDKs and test runners that tests run: go run ./testservers/matrix/install [-full]
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/mcptest-dev/mcptest/testservers/matrix"
)

func main() {
	full := flag.Bool("full", false, "also install what only .ci/run --full needs")
	flag.Parse()
	if err := matrix.Install(os.Stdout, *full); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
