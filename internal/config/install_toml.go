package config

import (
	"bytes"
	"errors"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
)

// inlineServers matches a table of servers that is written in one line; a section cannot be added to it.
var inlineServers = lazyregexp.New(`(?m)^\s*mcp_servers\s*=`)

// installTOML adds or replaces the section of a server. All other lines stay unchanged.
func installTOML(source []byte, key string, command Command) ([]byte, error) {
	if inlineServers().Match(source) {
		return nil, errors.New("mcp_servers is an inline table; convert it to sections [mcp_servers.NAME] first")
	}
	header := "[mcp_servers." + key + "]"
	args := make([]string, len(command.Args))
	for i, arg := range command.Args {
		args[i] = quoteKey(arg) // a JSON string is a valid TOML basic string
	}
	newline := "\n"
	if bytes.Contains(source, []byte("\r\n")) {
		newline = "\r\n"
	}
	section := header + newline + "command = " + quoteKey(command.Program) + newline + "args = [" +
		strings.Join(args, ", ") + "]" + newline
	lines := bytes.SplitAfter(source, []byte("\n"))
	for i, line := range lines {
		if strings.TrimSpace(string(line)) != header {
			continue
		}
		end := i + 1
		for end < len(lines) && !bytes.HasPrefix(bytes.TrimSpace(lines[end]), []byte("[")) &&
			len(bytes.TrimSpace(lines[end])) > 0 {
			end++
		}
		before, after := bytes.Join(lines[:i], nil), bytes.Join(lines[end:], nil)
		return append(append(before, section...), after...), nil
	}
	out := bytes.Clone(source)
	if len(out) > 0 && !bytes.HasSuffix(out, []byte("\n")) {
		out = append(out, newline...)
	}
	if len(out) > 0 {
		out = append(out, newline...)
	}
	return append(out, section...), nil
}
