package cli

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// On a terminal no line of a help is wider than it, but for what a person may want to copy.
func TestHelpFitsTheTerminal(t *testing.T) {
	const columns = 80
	each(Commands(), func(cmd *cobra.Command) {
		var out bytes.Buffer
		writeUsage(&out, cmd, columns)
		copied := false
		for line := range strings.SplitSeq(out.String(), "\n") {
			if line == "Usage:" || line == "Examples:" {
				copied = true
			} else if line == "" {
				copied = false
			}
			if !copied && utf8.RuneCountInString(line) > columns {
				t.Errorf("%s: %q is wider than %d columns", cmd.CommandPath(), line, columns)
			}
		}
	})
}

// The help of every command is shown under a heading, and that of the program names all groups.
func TestHelpTellsArgumentsAndGroups(t *testing.T) {
	root := Commands()
	for _, c := range root.Commands() {
		if c.GroupID == "" && !strings.Contains(" auth completion help servers transcript version ", " "+c.Name()+" ") {
			t.Errorf("%s is in no group", c.Name())
		}
	}
	for _, tt := range []struct{ command, want string }{
		{"", "Usage:\n  mcptest COMMAND\n\nExamples:\n  mcptest check demo\n"},
		{"tools", "Usage:\n  mcptest tools COMMAND\n\nCommands:\n  call  "},
		{"explain", "Usage:\n  mcptest explain RULE\n\nArguments:\n  RULE         the rule's id\n\nExamples:\n  " +
			"mcptest explain SCH-001\n\nGlobal flags:"},
		{"report", "Usage:\n  mcptest report [FILE...] [flags]\n  mcptest report COMMAND\n"},
	} {
		cmd, _, err := root.Find(strings.Fields(tt.command))
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if writeUsage(&out, cmd, 0); !strings.HasPrefix(out.String(), tt.want) {
			t.Errorf("%q:\n%s\nwant it to begin with\n%s", tt.command, out.String(), tt.want)
		}
	}
}

func each(cmd *cobra.Command, do func(*cobra.Command)) {
	do(cmd)
	for _, c := range cmd.Commands() {
		each(c, do)
	}
}
