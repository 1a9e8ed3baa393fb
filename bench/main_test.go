package bench

import (
	"fmt"
	"os"
	"testing"

	"github.com/mcptest-dev/mcptest/bench/echo"
	"github.com/mcptest-dev/mcptest/testservers/planted"
)

// echoMode is the first argument that makes this binary the echo server; the second is the era that it speaks.
const echoMode = "echo-server"

// echoHTTPMode is the first argument that makes this binary the echo server over HTTP.
const echoHTTPMode = "echo-http-server"

func TestMain(m *testing.M) {
	planted.Play()
	if len(os.Args) > 2 && os.Args[1] == echoMode {
		echo.Serve(os.Stdin, os.Stdout, os.Args[2] == "modern")
		os.Exit(0)
	}
	if len(os.Args) > 1 && os.Args[1] == echoHTTPMode {
		echo.ServeHTTP()
		os.Exit(0)
	}
	if os.Getenv("MCPTEST_BENCH") == "off" {
		fmt.Println("left out: MCPTEST_BENCH is off, as where the promises about speed were measured before, alone")
		os.Exit(0)
	}
	os.Exit(m.Run())
}
