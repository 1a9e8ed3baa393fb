package conform

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// evidenceSize is how much of a frame is shown with a finding; the transcript has all of it.
const evidenceSize = 300

// frames are the frames that prove a finding.
func (s Seen) frames() []wire.Frame {
	frames := s.Frames
	if ex := s.Exchange; ex != nil {
		frames = append([]wire.Frame{ex.Request.Frame}, frames...)
		if ex.Reply != nil {
			frames = append(frames, ex.Reply.Frame)
		}
	}
	if s.Answer != nil {
		frames = append(frames, s.Answer.Sent, s.Answer.Got)
	}
	return frames
}

// evidence is a frame in one line.
func evidence(f wire.Frame) string {
	head := "sent"
	if f.From == wire.Server {
		head = "came"
	}
	if f.Status != 0 {
		head += fmt.Sprintf(" HTTP %d", f.Status)
	}
	body := strings.TrimSpace(string(f.Body))
	switch {
	case body == "" && f.From == wire.Client:
		body = "(no body)"
	case body == "":
		body = "(nothing)"
	}
	return head + ": " + clip(body, evidenceSize)
}

// reproduce is the command that shows a finding again: the very frame where one request says it all, the check otherwise.
func (p *Pass) reproduce(s Seen) string {
	o := p.round.opts
	target, args := cmp.Or(o.Shown, "TARGET"), ""
	if ex := s.Exchange; ex != nil && plain(ex) {
		args = "raw --body " + quote(string(ex.Request.Frame.Body))
		if p.bare {
			args += " --bare"
		}
	} else {
		args = "conform --rules " + cmp.Or(s.Check, p.Check.ID)
		if p.Check.Disruptive && o.AllowDisruptive {
			args += " --allow-disruptive"
		}
		if o.AllowCalls {
			args += " --allow-calls"
		}
		for _, tool := range o.Allow {
			args += " --allow " + quote(tool)
		}
	}
	return "mcptest " + args + " --protocol " + p.Revision.ID + " " + target
}

// plain reports whether an exchange can be had again by sending its frame in a new session.
func plain(ex *mcp.Exchange) bool {
	return ex.Request.Method != "initialize" && len(ex.Request.Frame.Body) > 0 && len(ex.Request.Frame.Body) <= 2000
}

// quote makes one word of a text for a POSIX shell.
func quote(text string) string {
	if text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@%+=,") == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// frameOf is a frame that was not recorded, to be read.
func frameOf(body string) wire.Frame { return wire.Frame{Body: []byte(body)} }
