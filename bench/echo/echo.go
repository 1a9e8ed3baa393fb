// Package echo is a server that does as little as a server can, so that benchmarks measure what is before it.
package echo

import (
	"bufio"
	"bytes"
	"io"
)

// Serve speaks over lines: it looks for the id, the method and the message in each line, without a parser.
func Serve(in io.Reader, out io.Writer, modern bool) {
	lines := bufio.NewReaderSize(in, 1<<20) // the longest line that it can read
	answers := bufio.NewWriterSize(out, 64<<10)
	for {
		line, err := lines.ReadSlice('\n')
		if err != nil {
			return
		}
		answers.Write(responseTo(line, modern))
		if lines.Buffered() == 0 && answers.Flush() != nil {
			return
		}
	}
}

func responseTo(line []byte, modern bool) []byte {
	id := between(line, `"id":`, `,}`) // which some clients put last
	if id == nil {
		return nil
	}
	answer := append([]byte(`{"jsonrpc":"2.0","id":`), id...)
	answer = append(answer, ',')
	switch string(between(line, `"method":"`, `"`)) {
	case "tools/call":
		answer = append(answer, `"result":{"resultType":"complete","content":[{"type":"text","text":"`...)
		if said := between(line, `"message":"`, `"`); !bytes.Contains(said, []byte(`\`)) {
			// an escape may be cut in two
			answer = append(answer, said...)
		}
		answer = append(answer, `"}]}`...)
	case "tools/list":
		answer = append(answer, `"result":{"resultType":"complete","ttlMs":0,"cacheScope":"private",`+
			`"tools":[{"name":"echo","description":"Echo.","inputSchema":{"type":"object",`+
			`"properties":{"message":{"type":"string"}},"required":["message"]}},{"name":"anything",`+
			`"description":"Echo of whatever.","inputSchema":{"type":"object","properties":{"message":{}}}}]}`...)
	case "initialize":
		answer = append(answer, `"result":{"protocolVersion":"`...)
		answer = append(answer, revision(line)...)
		answer = append(answer, `","capabilities":{"tools":{}},"serverInfo":{"name":"echo","version":"1"}}`...)
	case "server/discover":
		if !modern {
			answer = append(answer, `"error":{"code":-32601,"message":"Method not found"}`...)
			break
		}
		answer = append(answer, `"result":{"resultType":"complete","supportedVersions":["2026-07-28"],`+
			`"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"}`...)
	default:
		answer = append(answer, `"result":{"resultType":"complete"}`...)
	}
	return append(answer, '}', '\n')
}

// revision is the one that a client asks for, or the last one that has a handshake.
func revision(initialize []byte) []byte {
	const last = "2025-11-25"
	asked := between(initialize, `"protocolVersion":"`, `"`)
	if string(asked) > last || len(asked) != len(last) {
		return []byte(last)
	}
	return asked
}

// between is what stands after the first start, up to the next of the characters that end it.
func between(line []byte, start, end string) []byte {
	_, rest, found := bytes.Cut(line, []byte(start))
	if !found {
		return nil
	}
	if i := bytes.IndexAny(rest, end); i >= 0 {
		return rest[:i]
	}
	return rest
}
