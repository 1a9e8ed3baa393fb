package conform

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/exposure"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/redact"
)

// evidenceSize is how much of a frame is shown with a finding; the transcript contains all of it.
const evidenceSize = 300

// frames returns the frames that prove a finding.
func (s Evidence) frames() []wire.Frame {
	frames := s.Frames
	if ex := s.Exchange; ex != nil {
		frames = append([]wire.Frame{ex.Request.Frame}, frames...)
		if ex.Reply != nil {
			frames = append(frames, ex.Reply.Frame)
		}
	}
	if s.Answer != nil && !s.Answer.Private {
		frames = append(frames, s.Answer.Sent, s.Answer.Got)
	}
	return frames
}

// evidence returns the frames of a finding, one per line.
func (s Evidence) evidence() []string {
	var lines []string
	for _, f := range s.frames() {
		line := evidence(f)
		if s.Answer != nil && f.From == wire.Client {
			line += changed(s.Answer.Changed)
		}
		lines = append(lines, line)
	}
	return lines
}

// changed describes how the headers of a request differ from those of a regular client.
func changed(h http.Header) string {
	var with, without string
	for _, name := range slices.Sorted(maps.Keys(h)) {
		if len(h[name]) == 0 {
			without += ", without " + name
		} else {
			with += ", with " + name + ": " + clip.Text(strings.Join(h[name], ", "), 80)
		}
	}
	return with + without
}

// evidence renders a frame as one line.
func evidence(f wire.Frame) string {
	head := "sent"
	if method, _, _ := strings.Cut(f.Stream, "-"); slices.Contains([]string{"GET", "DELETE", "PUT"}, method) &&
		f.From == wire.Client {
		head += " " + method
	}
	if f.From == wire.Server {
		head = "received"
	}
	if f.Status != 0 {
		head += fmt.Sprintf(" HTTP %d", f.Status)
	}
	body := strings.TrimSpace(string(f.Body[:min(len(f.Body), 10*evidenceSize)]))
	if f.From == wire.Server {
		body = withoutSecrets(body)
	}
	switch {
	case body == "" && f.From == wire.Client:
		body = "(no body)"
	case body == "":
		body = "(nothing)"
	}
	return head + ": " + clip.Text(body, evidenceSize)
}

// withoutSecrets replaces the secrets of a text: reports are stored and passed on.
func withoutSecrets(text string) string {
	for range 20 {
		secret, found := exposure.FindSecret(text)
		if !found {
			break
		}
		text = strings.ReplaceAll(text, secret.Text, redact.Placeholder)
	}
	return text
}

// reproduce returns the command that reproduces a finding: the frame itself if one request and its response are
// sufficient, otherwise the check. In a scratch session, the earlier messages matter.
func (p *CheckContext) reproduce(s Evidence) string {
	o := p.round.opts
	target, args := cmp.Or(o.Shown, "TARGET"), ""
	if ex := s.Exchange; ex != nil && len(s.Frames) == 0 && plain(ex) && !s.Led && p.scratch == nil {
		args = "raw --body " + quote(string(ex.Request.Frame.Body))
		if p.bare {
			args += " --bare"
		}
	} else {
		args = "conform --rules " + cmp.Or(s.Check, p.Check.ID)
		args += o.authFlags()
		if p.Check.Disruptive && o.AllowDisruptive {
			args += " --allow-disruptive"
		}
		if o.Permit.All {
			args += " --allow-calls"
		}
		for _, tool := range p.round.permitted() {
			args += " --allow " + quote(tool)
		}
	}
	return "mcptest " + args + " --protocol " + p.Revision.ID + " " + target
}

// plain reports whether an exchange can be reproduced by sending its frame in a new session.
func plain(ex *mcp.Exchange) bool {
	return ex.Request.Method != "initialize" && len(ex.Request.Frame.Body) > 0 && len(ex.Request.Frame.Body) <= 2000
}

// quote quotes a text as one word for a POSIX shell.
func quote(text string) string {
	if text != "" && strings.Trim(text,
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@%+=,") == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// frameOf returns a frame that was not recorded, for reading.
func frameOf(body string) wire.Frame { return wire.Frame{Body: []byte(body)} }
