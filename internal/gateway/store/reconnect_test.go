package store_test

import (
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/testservers/postgres"
)

// A replica that loses its connections to the server gets new ones, and hears of what it missed.
func TestReplicaSurvivesLostConnections(t *testing.T) {
	address := postgres.Fresh(t)
	here, there := open(t, address), open(t, address)
	told := there.Watch(t.Context())
	put(t, here, "a", 0, "1")
	postgres.Execute(t, address, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "+
		"AND pid <> pg_backend_pid()")
	hung := time.After(30 * time.Second)
	put(t, here, "b", 0, "2")
	for changes(t, there, 0) != "a=1 b=2" {
		select {
		case <-told:
		case <-hung:
			t.Fatal("the other replica did not hear of the change")
		}
	}
}
