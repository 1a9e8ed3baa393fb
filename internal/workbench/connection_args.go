package workbench

import (
	"strings"

	"github.com/mcptest-dev/mcptest/internal/redact"
)

// Words returns the server and its options as shell words for a command.
func (c *Connection) Words() string {
	words, named := c.optionWords(), c.named()
	if len(named.Command) == 0 {
		return strings.Join(append(words, QuoteWord(redact.URL(named.Target))), " ")
	}
	words = append(words, "--")
	for _, word := range named.Command {
		words = append(words, QuoteWord(word))
	}
	return strings.Join(words, " ")
}

// named is the connection as the user would name it: an open one already identifies its server.
func (c *Connection) named() *Connection {
	if c.open == nil {
		return c
	}
	out, t := *c, c.open.Target()
	out.Target, out.Command = t.URL, t.Command
	if t.URL == "" && (len(t.Command) == 0 || t.Name != "") {
		out.Target, out.Command = t.String(), nil
	}
	return &out
}

// optionWords are the options for reaching the server. Values that may be secret are omitted: a variable is
// inherited from the environment, and the user fills in the header.
func (c *Connection) optionWords() []string {
	var words []string
	for _, said := range []struct{ flag, value string }{{"--protocol", c.Protocol}, {"--config", c.Config},
		{"--cwd", c.Cwd}, {"--extensions", c.Extensions}} {
		if said.value != "" {
			words = append(words, said.flag+" "+QuoteWord(said.value))
		}
	}
	for _, pair := range c.Env {
		if name, _, _ := strings.Cut(pair, "="); redact.SecretName(name) {
			pair = name
		}
		words = append(words, "--env "+QuoteWord(pair))
	}
	for _, pair := range c.Header {
		if name, value, _ := strings.Cut(pair, ":"); !strings.HasPrefix(strings.TrimSpace(value), "$") &&
			!strings.HasPrefix(strings.TrimSpace(value), "@") {
			pair = name + ": …"
		}
		words = append(words, "--header "+QuoteWord(pair))
	}
	if c.Insecure {
		words = append(words, "--insecure")
	}
	return words
}
