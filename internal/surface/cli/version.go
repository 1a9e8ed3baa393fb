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

// Set by releases with the linker's -X; nothing else writes them. A build without them reports what the Go
// command recorded.
var stampedVersion, stampedCommit, stampedDate string

// Version is the version of this build.
func Version() string { return thisBuild().Version }

// A build is the output of mcptest version.
type build struct {
	Version  string   `json:"version"`
	Commit   string   `json:"commit,omitempty"`
	Date     string   `json:"date,omitempty"` // of the commit, so that the same source gives the same binary
	Go       string   `json:"go"`
	Platform string   `json:"platform"`
	Protocol []string `json:"protocol"`         // the supported revisions, oldest first
	Latest   string   `json:"latest,omitempty"` // the latest release, if --check is set
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

// known fills in what the Go command recorded and the linker flags did not set.
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

// write shows the build as text: the first line is the output of --version.
func (b build) write(w io.Writer) error {
	out := "mcptest " + b.Version + "\n"
	for _, line := range []struct{ label, value string }{{"commit", b.Commit}, {"date", b.Date},
		{"go", b.Go + " " + b.Platform}, {"protocol", strings.Join(b.Protocol, ", ")}, {"latest", b.latest()}} {
		if line.value != "" {
			out += fmt.Sprintf("%-9s %s\n", line.label, line.value)
		}
	}
	_, err := io.WriteString(w, out)
	return err
}

// latest describes the latest release, if it is known.
func (b build) latest() string {
	switch b.Latest {
	case "":
		return ""
	case b.Version:
		return b.Latest + ", this version"
	}
	return b.Latest + ", " + releasesURL + "/tag/v" + b.Latest
}

func (a *app) versionCommand() *cobra.Command {
	var check bool
	cmd := &cobra.Command{Use: "version", Short: "Print version and build information", Args: noArguments,
		Example: indent("mcptest version --json"),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			a.started = true
			b := thisBuild()
			if check {
				releases := cmp.Or(a.env.Getenv("MCPTEST_RELEASES"), releasesURL)
				if b.Latest, err = latestRelease(cmd.Context(), releases); err != nil {
					return err
				}
			}
			if a.view.json {
				return writeJSON(a.out, b)
			}
			return b.write(a.out)
		}}
	cmd.Flags().BoolVar(&check, "check", false, "also request the latest release from GitHub")
	return using(cmd, printsJSON)
}
