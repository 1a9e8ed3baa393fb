package inspector

import (
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/shell"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// Copy formats a call in another format. It contains no secret: secrets are replaced by a variable or a
// placeholder, and the note states that.
func (i *Inspector) Copy(id string, n int, as string) (view.Copy, error) {
	c, one, err := i.call(id, n)
	if err != nil {
		return view.Copy{}, err
	}
	out := view.Copy{As: as}
	switch as {
	case "mcptest":
		out.Text, err = c.asCommand(one)
	case "curl":
		out.Text, err = c.asCurl(one)
	case "suite":
		out.Text, err = c.asSuite(one)
	case "jsonrpc":
		var f wire.Frame
		f, err = c.requestFrame(one)
		out.Text = c.scrub(view.Indent(f.Body))
	default:
		err = view.Usage("as is %q", as).WithHint("use mcptest, curl, suite or jsonrpc")
	}
	if err != nil {
		return view.Copy{}, err
	}
	out.Text = i.bench.Secrets.Exact(out.Text)
	if strings.Contains(out.Text, redact.Placeholder) || as != "jsonrpc" && strings.Contains(out.Text, "$") {
		out.Note = "secrets are omitted: replace " + redact.Placeholder + " and the variables with their values"
	}
	return out, nil
}

// scrub removes what looks like a secret from user input or a request.
func (c *conn) scrub(text string) string { return c.inspector.bench.Secrets.Text(text) }

// requestFrame returns the last request of a call as it was sent.
func (c *conn) requestFrame(one *call) (wire.Frame, error) {
	c.mu.Lock()
	frames := c.framesOf(one, false)
	c.mu.Unlock()
	for _, seq := range frames {
		if f, ok := c.log.Frame(seq); ok && f.From == wire.Client {
			return f, nil
		}
	}
	return wire.Frame{}, view.NotFound("the request of call %d is no longer available", one.n)
}

// asCommand returns the call as an mcptest command line.
func (c *conn) asCommand(one *call) (string, error) {
	if c.origin() == nil {
		return "", view.Usage("a transcript has no server to call")
	}
	words := []string{"mcptest"}
	in := one.in
	switch {
	case in.Raw != "":
		words = append(words, "raw", "--body", c.scrub(in.Raw))
	case in.Method == "tools/call" && in.ParamsJSON == "":
		words = append(words, "tools", "call", in.Name, "--args", c.scrub(string(one.request.Arguments)))
		if in.Anyway {
			words = append(words, "--no-validate")
		}
		if in.AsTask {
			words = append(words, "--task")
		}
	case in.Method == "resources/read" && in.ParamsJSON == "":
		words = append(words, "resources", "read", in.Name)
	case in.Method == "prompts/get" && in.ParamsJSON == "" && len(one.request.Arguments) == 0:
		words = append(words, "prompts", "get", in.Name)
	default:
		words = append(words, "raw", in.Method)
		if params := one.request.SentParams(); params != nil {
			words = append(words, c.scrub(string(params)))
		}
	}
	return shell.Join(append(words, c.targetWords()...)), nil
}

// targetWords returns the server on the command line, without its secrets.
func (c *conn) targetWords() []string {
	s := c.origin().shown
	var words []string
	if p := c.opts.Protocol; p != "" && p != "auto" {
		words = append(words, "--protocol", p)
	}
	if c.opts.Insecure {
		words = append(words, "--insecure")
	}
	switch {
	case s.Source == "config":
		if c.inspector.config != "" {
			words = append(words, "--config", s.File)
		}
		return append(words, s.Name)
	case s.Kind == "builtin":
		return append(words, s.Name)
	case s.Kind == "url":
		for _, name := range s.Headers {
			words = append(words, "--header", name+": $"+variableName(name))
		}
		return append(words, s.URL)
	}
	for _, name := range s.Env {
		words = append(words, "--env", name)
	}
	if s.Cwd != "" {
		words = append(words, "--cwd", s.Cwd)
	}
	return append(append(words, "--"), s.Command...)
}

func variableName(header string) string {
	return strings.ToUpper(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, header))
}

// asCurl returns the request of a call as a curl command.
func (c *conn) asCurl(one *call) (string, error) {
	shown := c.snapshot()
	if kind := wire.Kind(shown.Transport); kind != wire.StreamableHTTP && kind != wire.HTTPWithSSE {
		return "", view.Usage("curl supports only HTTP, and this server uses %s",
			kind).WithHint("copy it as an mcptest command")
	}
	f, err := c.requestFrame(one)
	if err != nil {
		return "", err
	}
	link, err := c.session()
	address := shown.Address
	if err == nil {
		address = redact.URL(link.Session.Target().URL)
	}
	command := shell.Join([]string{"curl", "-sS", "-N", "-X", "POST", address})
	header := c.inspector.bench.Secrets.Header(f.Header)
	for _, name := range c.origin().headerNames() {
		if header.Get(name) == "" {
			header[name] = []string{redact.Placeholder}
		}
	}
	for _, name := range sortedNames(header) {
		if slices.Contains([]string{"Content-Length", "User-Agent", "Accept-Encoding"}, name) {
			continue
		}
		for _, value := range header[name] {
			command += " -H " + curlHeader(name, value)
		}
	}
	return command + " --data-binary " + shell.Quote(c.scrub(string(f.Body))), nil
}

// curlHeader returns a header for a shell; a secret in it is replaced by a shell variable.
func curlHeader(name, value string) string {
	before, after, secret := strings.Cut(value, redact.Placeholder)
	if !secret {
		return shell.Quote(name + ": " + value)
	}
	text := shell.Quote(name+": "+before) + `"$` + variableName(name) + `"`
	if after != "" {
		text += shell.Quote(after)
	}
	return text
}

// headerNames are the headers that an entry sets.
func (e *entry) headerNames() []string {
	if e == nil {
		return nil
	}
	return e.shown.Headers
}
