package cli

import (
	"runtime/debug"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What is stamped comes first; what Go noted fills the gaps.
func TestBuildIsStampedOrKnown(t *testing.T) {
	info := &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.time", Value: "2026-01-02T03:04:05Z"},
		{Key: "-trimpath", Value: "true"}}}
	for _, c := range []struct {
		name string
		got  build
		info *debug.BuildInfo
		want build
	}{
		{"nothing stamped", build{}, info, build{Version: "v1.2.3", Commit: "abc", Date: "2026-01-02T03:04:05Z"}},
		{"stamped", build{Version: "2.0.0", Commit: "def", Date: "then"}, info,
			build{Version: "2.0.0", Commit: "def", Date: "then"}},
		{"a checkout", build{}, &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, build{}},
	} {
		c.got.known(c.info)
		if diff := cmp.Diff(c.got, c.want); diff != "" {
			t.Errorf("%s (-got +want):\n%s", c.name, diff)
		}
	}
	if Version() == "" {
		t.Error("a build without a stamp has no version")
	}
}
