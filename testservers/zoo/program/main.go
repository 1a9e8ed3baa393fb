// Program runs a server of package zoo, planted or wiretest, whichever the environment names. It starts in a third of the
// time that a test binary takes, and is not built with an SDK.
package main

import (
	"fmt"
	"os"

	"github.com/mcptest-dev/mcptest/testservers/planted"
	"github.com/mcptest-dev/mcptest/testservers/zoo"
)

func main() {
	zoo.Play()
	planted.Play()
	fmt.Fprintln(os.Stderr, "the environment names no server")
	os.Exit(2)
}
