package cli

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// What a release stamps into the binary with the linker's -X; nothing else writes them. A build without a stamp tells
// what Go knows of it.
var stampedVersion, stampedCommit, stampedDate string

// Version is the version of this build.
func Version() string { return thisBuild().Version }

// A build is what mcptest version tells.
type build struct {
	Version  string   `json:"version"`
	Commit   string   `json:"commit,omitempty"`
	Date     string   `json:"date,omitempty"` // of the commit, so that the same source gives the same binary
	Go       string   `json:"go"`
	Platform string   `json:"platform"`
	Protocol []string `json:"protocol"` // the revisions that it speaks, oldest first
}

func thisBuild() build {
	b := build{Version: stampedVersion, Commit: stampedCommit, Date: stampedDate,
		Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Protocol: spec.IDs()}
	if info, ok := debug.ReadBuildInfo(); ok {
		b.known(info)
	}
	b.Version = cmp.Or(strings.TrimPrefix(b.Version, "v"), "dev")
	return b
}

// known fills in what the Go command noted and no stamp says.
func (b *build) known(info *debug.BuildInfo) {
	if info.Main.Version != "(devel)" {
		b.Version = cmp.Or(b.Version, info.Main.Version)
	}
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			b.Commit = cmp.Or(b.Commit, setting.Value)
		case "vcs.time":
			b.Date = cmp.Or(b.Date, setting.Value)
		}
	}
}

// write shows the build to a person: the first line is what --version prints.
func (b build) write(w io.Writer) error {
	out := "mcptest " + b.Version + "\n"
	for _, line := range []struct{ label, value string }{{"commit", b.Commit}, {"date", b.Date},
		{"go", b.Go + " " + b.Platform}, {"protocol", strings.Join(b.Protocol, ", ")}} {
		if line.value != "" {
			out += fmt.Sprintf("%-9s %s\n", line.label, line.value)
		}
	}
	_, err := io.WriteString(w, out)
	return err
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{Use: "version", Short: "Print the version, and what it was built from", Args: noArguments,
		Example: indent("mcptest version --json"),
		RunE: func(*cobra.Command, []string) error {
			if a.view.json {
				return writeJSON(a.out, thisBuild())
			}
			return thisBuild().write(a.out)
		}}
}
