package mcpserver

import (
	"cmp"
	"context"
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/connections"
)

func getTranscript() tool {
	return tool{
		name: "get_transcript",
		doc:  "Returns the frames as sent, the server's stderr, and protocol violations.",
		input: closed("",
			may("since", whole("Only frames after this number (default: all).", 0, 1<<31-1)),
			onConnection(),
			may("only", choice("Kind of frames (default: all).", "all", "request", "response", "notification",
				"other")),
			may("limit", whole("Maximum number of frames (default: 200).", 1, 10_000))),
		run: runTranscript,
	}
}

type transcriptInput struct {
	Since, Limit     int
	Only, Connection string
}

// stderrShown is the maximum length of stderr output in a result.
const stderrShown = 64 << 10

func runTranscript(_ context.Context, c *call) (any, error) {
	in := decode[transcriptInput](c)
	l, err := c.on(in.Connection)
	if err != nil {
		return nil, err
	}
	frames, cut := in.frames(l)
	stderr := l.Session.Stderr()
	notices := []notice{}
	for _, n := range l.Session.Notices() {
		if n.Frame > in.Since {
			notices = append(notices, notice{n.Frame, n.Text})
		}
	}
	answer := ordered{"success", true, "connection", reached(l), "frames", frames, "last_number", l.Log.Len(),
		"stderr", stderr[max(0, len(stderr)-stderrShown):], "notices", notices}
	if cut != "" {
		answer = append(answer, "cut", cut)
	}
	return append(answer, "metadata", timing{c.elapsed()}), nil
}

func (in transcriptInput) frames(l *connections.Link) (shown []frame, cut string) {
	limit := in.Limit
	if limit == 0 {
		limit = 200
	}
	shown, size := []frame{}, 0
	for _, f := range l.Log.Since(in.Since) {
		one := showFrame(f, 0, bodyLimit)
		if in.Only != "" && in.Only != "all" && one.Kind != in.Only {
			continue
		}
		if size += len(one.Body); len(shown) == limit || size > transcriptLimit && len(shown) > 0 {
			return shown, fmt.Sprintf("more frames are available; call again with since %d",
				shown[len(shown)-1].Number)
		}
		shown = append(shown, one)
	}
	return shown, ""
}

// transcriptLimit is the maximum size of the bodies in a transcript; get_frame has the rest.
const transcriptLimit = 2 * normalLimit

func getFrame() tool {
	return tool{
		name: "get_frame",
		doc:  "Returns one frame of a connection, or a part of it.",
		input: closed("",
			need("number", whole("Number of the frame.", 1, 1<<31-1)),
			may("byte_offset", whole("Offset in its body.", 0, 1<<30)),
			may("byte_limit", whole("Maximum number of bytes (default: 40000).", 1, maxResponseBytes)),
			onConnection()),
		run: func(_ context.Context, c *call) (any, error) {
			in := decode[struct {
				Number     int
				Connection string
				ByteOffset int `json:"byte_offset"`
				ByteLimit  int `json:"byte_limit"`
			}](c)
			l, err := c.on(in.Connection)
			if err != nil {
				return nil, err
			}
			f, ok := l.Log.Frame(in.Number)
			if !ok {
				return nil, &failure{Type: invalidArguments,
					Message:    fmt.Sprintf("frame %d not found: evicted, or not received yet", in.Number),
					Details:    details{"last_number": l.Log.Len()},
					Suggestion: "last_number is the number of the newest frame"}
			}
			return ordered{"success", true, "connection", reached(l), "frame",
				showFrame(f, in.ByteOffset, cmp.Or(in.ByteLimit, normalLimit)), "metadata", timing{c.elapsed()}}, nil
		},
	}
}
