//go:build !linux

package store_test

import "errors"

// unsyncedFile names the store of a child process whose disk stops to sync, which only Linux can be told to do.
const unsyncedFile = "MCPTEST_TEST_UNSYNCED"

func writeWithoutSync(string) error { return errors.ErrUnsupported }
