package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mcptest-dev/mcptest/internal/surface/cli"
)

// commands is the page about the command line.
func commands(root *cobra.Command) string {
	p := &commandPage{shared: map[string]string{}}
	list, _, err := root.Find([]string{"tools", "list"}) // it has only the flags of servers
	if err != nil {
		panic(err)
	}
	list.LocalFlags().VisitAll(func(f *pflag.Flag) { p.shared[f.Name] = f.Usage })
	p.printf("# Command line\n\n%s\n\n", paragraphs(root.Long))
	p.printf("`mcptest COMMAND --help` shows the same text; `mcptest completion bash|zsh|fish|powershell` prints " +
		"completions. The\n" +
		"examples use built-in servers; replace them with yours.\n\n")
	overview := table{head: []string{"command", "description"}}
	each(root, func(cmd *cobra.Command) {
		overview.row(fmt.Sprintf("[%s](#%s)", name(cmd), anchor(cmd)), cmd.Short)
	})
	p.printf("%s\n## Flags of several commands\n\nA command rejects those that have no effect on it; `mcptest "+
		"COMMAND --help` lists the others.\n\n%s\n",
		&overview, flagTable(root.PersistentFlags(), nil))
	p.printf("## Flags of commands that reach a server\n\n%s\n", flagTable(list.LocalFlags(), nil))
	each(root, p.command)
	return strings.TrimRight(p.String(), "\n") + "\n"
}

type commandPage struct {
	strings.Builder
	shared map[string]string // the flags of servers, with their texts
}

func (p *commandPage) printf(format string, args ...any) { fmt.Fprintf(p, format, args...) }

// each calls do for every runnable command, sorted by name.
func each(cmd *cobra.Command, do func(*cobra.Command)) {
	for _, sub := range cmd.Commands() {
		if sub.Hidden || sub.Name() == "help" || sub.Name() == "completion" {
			continue
		}
		if sub.Example != "" {
			do(sub)
		}
		each(sub, do)
	}
}

func name(cmd *cobra.Command) string { return strings.TrimPrefix(cmd.CommandPath(), "mcptest ") }

func anchor(cmd *cobra.Command) string { return strings.ReplaceAll(name(cmd), " ", "-") }

func (p *commandPage) command(cmd *cobra.Command) {
	p.printf("## %s\n\n%s\n\n```text\n%s\n```\n\n", name(cmd), paragraphs(long(cmd)),
		strings.TrimSuffix(cmd.UseLine(), " [flags]"))
	arguments := table{head: []string{"argument", "meaning"}}
	for line := range strings.Lines(cli.ArgumentsOf(cmd)) {
		argument, meaning, _ := strings.Cut(strings.TrimSpace(line), "\t")
		arguments.row(code(argument), meaning)
	}
	if len(arguments.rows) > 0 {
		p.printf("%s\n", &arguments)
	}
	left := p.sharedBy(cmd)
	if flags := flagTable(cmd.LocalFlags(), left); flags != "" {
		p.printf("%s\n", flags)
	}
	if left != nil {
		p.printf("Also accepts the [flags of commands that reach a server](#flags-of-commands-that-reach-a-server).\n\n")
	}
	p.printf("```console\n")
	for line := range strings.Lines(cmd.Example) {
		p.printf("$ %s\n", strings.TrimSpace(line))
	}
	p.printf("```\n\n")
}

// sharedBy are the flags of servers, if the command has all of them with the same texts.
func (p *commandPage) sharedBy(cmd *cobra.Command) map[string]string {
	for name, usage := range p.shared {
		if f := cmd.LocalFlags().Lookup(name); f == nil || f.Usage != usage {
			return nil
		}
	}
	return p.shared
}

// flagTable shows flags, except the skipped ones.
func flagTable(flags *pflag.FlagSet, left map[string]string) string {
	t := table{head: []string{"flag", "meaning"}}
	flags.VisitAll(func(f *pflag.Flag) {
		if _, out := left[f.Name]; out || f.Hidden || f.Name == "help" || f.Name == "version" {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		spelling := "--" + f.Name
		if value != "" {
			spelling += " " + value
		}
		if f.Shorthand != "" {
			spelling = "-" + f.Shorthand + ", " + spelling
		}
		t.row(code(spelling), usage)
	})
	return t.String()
}

func long(cmd *cobra.Command) string {
	if cmd.Long != "" {
		return cmd.Long
	}
	return cmd.Short + "."
}

// paragraphs joins the lines of each paragraph: Markdown breaks lines itself. Text that looks like a tag is escaped.
func paragraphs(text string) string {
	var all []string
	for _, paragraph := range strings.Split(strings.TrimSpace(text), "\n\n") {
		all = append(all, strings.Join(strings.Fields(paragraph), " "))
	}
	return strings.ReplaceAll(strings.Join(all, "\n\n"), "<", "&lt;")
}
