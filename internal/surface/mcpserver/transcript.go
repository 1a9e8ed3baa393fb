package mcpserver

import (
	"context"
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/workbench"
)

func getTranscript() tool {
	return tool{
		name: "get_transcript", title: "Get the transcript",
		doc: "Returns the messages of a connection: every frame after a given number, exactly as it was sent, with the server's stderr output and " +
			"the protocol violations that were detected. A large frame can be read in parts.",
		input: closed("",
			may("since", whole("Return frames with a larger number than this (default: all).", 0, 1<<31-1)),
			onConnection(),
			may("only", choice("Which frames to return: all (default), or those of one kind.", "all", "request", "response", "notification", "other")),
			may("limit", whole("Maximum number of frames to return (default: 200).", 1, 10_000)),
			may("frame", whole("Return only this frame.", 1, 1<<31-1)),
			may("byte_offset", whole("Byte offset in the body of that frame.", 0, 1<<30)),
			may("byte_limit", whole("Maximum number of bytes of that frame to return.", 1, answerLimit))),
		output: answers(connectionAnswer(), need("frames", rows("", record("", need("number", count("")), need("time", moment("")), need("from", line("")), need("kind", line("")), need("body", line(""))))),
			need("last_number", count("The number of the newest frame; pass it as since in the next call.")), need("stderr", line("The last stderr output of the server.")),
			need("notices", rows("Protocol violations.", record(""))), may("cut", line("Omitted parts, and how to get them.")), metadataAnswer()),
		run: runTranscript,
	}
}

type transcriptInput struct {
	Since, Limit, Frame int
	Only, Connection    string
	ByteOffset          int `json:"byte_offset"`
	ByteLimit           int `json:"byte_limit"`
}

// stderrShown is the maximum length of stderr output in a result.
const stderrShown = 64 << 10

func runTranscript(_ context.Context, c *call) (any, error) {
	in := decode[transcriptInput](c)
	l, err := c.on(in.Connection)
	if err != nil {
		return nil, err
	}
	frames, cut, err := in.frames(l)
	if err != nil {
		return nil, err
	}
	stderr := l.Session.Stderr()
	notices := []notice{}
	for _, n := range l.Session.Notices() {
		if n.Frame > in.Since {
			notices = append(notices, notice{n.Frame, n.Text})
		}
	}
	answer := ordered{"success", true, "connection", describe(l), "frames", frames, "last_number", l.Log.Len(), "stderr", stderr[max(0, len(stderr)-stderrShown):], "notices", notices}
	if cut != "" {
		answer = append(answer, "cut", cut)
	}
	return append(answer, "metadata", timing{c.elapsed()}), nil
}

func (in transcriptInput) frames(l *workbench.Link) (shown []frame, cut string, err error) {
	if in.Frame > 0 {
		f, ok := l.Log.Frame(in.Frame)
		if !ok {
			return nil, "", &failure{Type: invalidArguments, Message: fmt.Sprintf("frame %d not found: evicted, or not received yet", in.Frame), Details: details{"last_number": l.Log.Len()}, Suggestion: "last_number is the number of the newest frame"}
		}
		most := in.ByteLimit
		if most == 0 {
			most = answerLimit
		}
		return []frame{showFrame(f, in.ByteOffset, most)}, "", nil
	}
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
		if size += len(one.Body); len(shown) == limit || size > answerLimit {
			return shown, fmt.Sprintf("more frames are available; call again with since %d", shown[len(shown)-1].Number), nil
		}
		shown = append(shown, one)
	}
	return shown, "", nil
}
