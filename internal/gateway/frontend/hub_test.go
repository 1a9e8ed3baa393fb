package frontend

import (
	"encoding/json"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
)

// What a stream has not been told yet waits once for each resource and each list.
func TestChangesWaitOnce(t *testing.T) {
	var h hub
	stream, leave := h.listen("", func(_, key string) (json.RawMessage, bool) { return rawjson.Quote(key), key != "unwanted" })
	defer leave()
	for _, change := range [][2]string{{resourceUpdated, "a"}, {resourceUpdated, "b"}, {resourceUpdated, "a"},
		{toolsChanged, ""}, {toolsChanged, ""}, {resourceUpdated, "unwanted"}, {promptsChanged, ""}} {
		h.broadcast(change[0], change[1])
	}
	var got []string
	for _, one := range stream.take() {
		got = append(got, one.method+" "+one.key)
	}
	want := []string{resourceUpdated + " a", resourceUpdated + " b", toolsChanged + " ", promptsChanged + " "}
	if len(got) != len(want) {
		t.Fatalf("told %q, want %q", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("told %q, want %q", got, want)
		}
	}
	if again := stream.take(); len(again) != 0 {
		t.Errorf("told again: %v", again)
	}
}
