package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mcptest-dev/mcptest/internal/surface/cli"
)

// writeExtras writes completions and manual pages to subfolders of dir.
func writeExtras(dir string, commands func() *cobra.Command) error {
	for _, sub := range []string{"completions", "man"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			return err
		}
	}
	root := commands()
	var failed error
	write := func(name string, text func(io.Writer) error) {
		file, err := os.Create(filepath.Join(dir, filepath.FromSlash(name)))
		if err == nil {
			err = errors.Join(text(file), file.Close())
		}
		failed = errors.Join(failed, err)
	}
	write("completions/mcptest.bash", func(w io.Writer) error { return root.GenBashCompletionV2(w, true) })
	write("completions/_mcptest", root.GenZshCompletion)
	write("completions/mcptest.fish", func(w io.Writer) error { return root.GenFishCompletion(w, true) })
	write("completions/mcptest.ps1", root.GenPowerShellCompletionWithDesc)
	manual := func(cmd *cobra.Command) {
		title := strings.ReplaceAll(cmd.CommandPath(), " ", "-")
		write("man/"+title+".1", func(w io.Writer) error {
			_,
				err := io.WriteString(w, manPage(cmd, title))
			return err
		})
	}
	manual(commands())
	each(root, manual)
	return failed
}

// manPage returns the manual page of a command.
func manPage(cmd *cobra.Command, title string) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %q 1 \"\" \"mcptest\" \"mcptest\"\n.SH NAME\n%s \\- %s\n.SH SYNOPSIS\n.B %s\n",
		strings.ToUpper(title), roff(title), roff(cmd.Short), roff(cmd.UseLine()))
	b.WriteString(".SH DESCRIPTION\n")
	for _, paragraph := range strings.Split(long(cmd), "\n\n") {
		fmt.Fprintf(&b, ".PP\n%s\n", roff(strings.Join(strings.Fields(paragraph), " ")))
	}
	if arguments := cli.ArgumentsOf(cmd); arguments != "" {
		b.WriteString(".SH ARGUMENTS\n")
		for line := range strings.Lines(arguments) {
			argument, meaning, _ := strings.Cut(strings.TrimSpace(line), "\t")
			fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(argument), roff(meaning))
		}
	}
	b.WriteString(".SH OPTIONS\n")
	option := func(f *pflag.Flag) {
		value, usage := pflag.UnquoteUsage(f)
		fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(strings.TrimSpace("--"+f.Name+" "+value)), roff(usage))
	}
	cmd.LocalFlags().VisitAll(option)
	cmd.InheritedFlags().VisitAll(option)
	if cmd.Example != "" {
		fmt.Fprintf(&b, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(cmd.Example))
	}
	if !cmd.HasParent() {
		b.WriteString(".SH COMMANDS\n")
		each(cmd, func(sub *cobra.Command) {
			fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(strings.ReplaceAll(sub.CommandPath(), " ", "-")+"(1)"),
				roff(sub.Short))
		})
	}
	b.WriteString(".SH EXIT STATUS\n")
	for _, s := range cli.ExitStatuses() {
		fmt.Fprintf(&b, ".TP\n.B %d\n%s\n", s.Code, roff(s.Meaning))
	}
	return b.String()
}

// roff escapes text that troff would treat as a request.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
