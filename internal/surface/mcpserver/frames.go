package mcpserver

import (
	"encoding/base64"
	"fmt"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/connections"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/redact"
)

// bodyLimit is the maximum length of a body in a list of frames.
const bodyLimit = 8_000

// framesSince returns the frames after a number, as many as fit into a result.
func framesSince(l *connections.Link, seq int) []frame {
	shown, size := []frame{}, 0
	for _, f := range l.Log.Since(seq) {
		one := showFrame(f, 0, bodyLimit)
		if size += len(one.Body); size > maxResponseBytes {
			break
		}
		shown = append(shown, one)
	}
	return shown
}

// showFrame shows a frame with a part of its body.
func showFrame(f wire.Frame, offset, most int) frame {
	m := mcp.Read(f)
	out := frame{Number: f.Seq, Time: stamp(f.Time), From: f.From, Kind: kindOf(&m), Method: m.Method, Conn: f.Conn,
		Stream: f.Stream, Status: f.Status, Bytes: len(f.Body), Fault: f.Fault}
	if f.Header != nil {
		out.Header = serve.Encode(redact.Header(f.Header))
	}
	if f.Event != nil {
		out.Event = f.Event.Name
	}
	if f.Err != nil {
		out.Error = f.Err.Error()
	}
	part := f.Body[min(offset, len(f.Body)):]
	if len(part) > most {
		cut := most
		for cut > most-utf8.UTFMax && cut > 1 && !utf8.RuneStart(part[cut]) {
			cut-- // not in the middle of a character
		}
		part = part[:cut]
		out.Cut = fmt.Sprintf("bytes %d to %d of %d; use get_frame with number %d and byte_offset %d to read more",
			offset, offset+len(part), len(f.Body), f.Seq, offset+len(part))
	}
	if out.Body = string(part); !utf8.Valid(part) {
		out.Body, out.Base64 = base64.StdEncoding.EncodeToString(part), true
	}
	return out
}

func kindOf(m *mcp.Message) string {
	switch {
	case m.IsRequest():
		return "request"
	case m.IsNotification():
		return "notification"
	case m.IsResponse():
		return "response"
	}
	return "other"
}
