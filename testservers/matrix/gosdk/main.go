// Command gosdk is the matrix client and server built with the Go SDK, without code from mcptest.
//
//	gosdk server [--http PORT] [--delay DURATION]
//	gosdk client JOB
//	gosdk planted
//	gosdk ledger FILE
//	gosdk load JOB
package main

import (
	"context"
	"fmt"
	"os"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	switch {
	case len(args) > 0 && args[0] == "server":
		return runServer(ctx, args[1:])
	case len(args) == 2 && args[0] == "client":
		return runClient(ctx, args[1])
	case len(args) == 1 && args[0] == "planted":
		return runPlanted(ctx)
	case len(args) == 2 && args[0] == "ledger":
		return runLedger(ctx, args[1])
	case len(args) == 2 && args[0] == "load":
		return runLoad(ctx, args[1])
	}
	return fmt.Errorf("usage: gosdk server [--http PORT] [--delay DURATION] | gosdk client JOB | gosdk planted | " +
		"gosdk ledger FILE | gosdk load JOB")
}
