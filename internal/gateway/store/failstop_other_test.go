//go:build !linux

package store_test

import "errors"

// unsyncedFile names the store of a child process whose disk stops to sync, which only Linux can be told to do.
const unsyncedFile = "MCPTEST_TEST_UNSYNCED"

// fullFile does the same for a disk that is full.
const fullFile = "MCPTEST_TEST_FULL"

func writeUntilFull(string) error { return errors.ErrUnsupported }

func writeWithoutSync(string) error { return errors.ErrUnsupported }

// pointsFile does the same for one that fails at every point.
const pointsFile = "MCPTEST_TEST_POINTS"

func failEverywhere(string) error { return errors.ErrUnsupported }

// lossFile does the same for a loss of power.
const lossFile = "MCPTEST_TEST_LOSS"

func losePower(string) error { return errors.ErrUnsupported }
