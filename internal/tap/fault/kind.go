// Package fault injects faults into the messages between an MCP client and a server: which faults, into which
// messages, and what each of them does to the bytes.
package fault

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A Kind is what a fault does.
type Kind string

// The kinds.
const (
	Delay          Kind = "delay"
	Hang           Kind = "hang"
	Drop           Kind = "drop"
	Duplicate      Kind = "duplicate"
	Reorder        Kind = "reorder"
	Error          Kind = "error"
	WrongID        Kind = "wrong-id"
	Garbage        Kind = "garbage"
	Cut            Kind = "cut"
	Close          Kind = "close"
	Slow           Kind = "slow"
	Oversize       Kind = "oversize"
	InvalidUTF8    Kind = "invalid-utf8"
	HTTPStatus     Kind = "http"
	CutSSE         Kind = "cut-sse"
	ExpiredSession Kind = "expired-session"
	StderrFlood    Kind = "stderr-flood"
	Exit           Kind = "exit"
)

// A Transport is how a client reaches the server through tap.
type Transport string

// The transports.
const (
	Stdio Transport = "stdio"
	HTTP  Transport = "HTTP"
)

// A KindInfo describes a kind.
type KindInfo struct {
	Kind    Kind
	Doc     string
	Default string            // the value if none is given
	Only    Transport         // the transport that it requires; empty for both
	Why     string            // why the other transport has no such fault
	From    wire.Side         // the sender of the messages that it applies to unless the user selects one
	Fixed   bool              // only From is possible
	HasID   bool              // it applies only to requests and responses
	read    func(*Rule) error // reads the value; nil if the kind has none
}

// Kinds are all kinds, in the order of the documentation.
var Kinds = []KindInfo{
	{Kind: Delay, Doc: "pass the message on after DURATION; others overtake it", Default: "5s", From: wire.Server,
		read: duration},
	{Kind: Hang, Doc: "stop passing messages on in this direction; the connection stays open", From: wire.Server},
	{Kind: Drop, Doc: "do not pass the message on", From: wire.Server},
	{Kind: Duplicate, Doc: "pass the message on twice", From: wire.Server},
	{Kind: Reorder, Doc: "pass the message on after the next one, or after DURATION", Default: "2s", From: wire.Server,
		read: duration},
	{Kind: Error, Doc: "respond with a JSON-RPC error with CODE", Default: "-32603", From: wire.Server, HasID: true,
		read: number(-1<<31, 1<<31)},
	{Kind: WrongID, Doc: "change the ID of the message", From: wire.Server, HasID: true},
	{Kind: Garbage, Doc: "send a line that is not JSON before the message; in an HTTP body, instead of it",
		From: wire.Server},
	{Kind: Cut, Doc: "send only the first half of the message", From: wire.Server},
	{Kind: Close, Doc: "close the stream or the HTTP connection instead of the message", From: wire.Server},
	{Kind: Slow, Doc: "send the message in small pieces over DURATION", Default: "5s", From: wire.Server, read: duration},
	{Kind: Oversize, Doc: "make the message SIZE bytes long with white space", Default: "16MiB", From: wire.Server,
		read: size},
	{Kind: InvalidUTF8, Doc: "put bytes that are not UTF-8 into a string of the message", From: wire.Server},
	{Kind: HTTPStatus, Doc: "respond with the HTTP status 401, 404, 429, 500 or 503; the server gets no request",
		Default: "500", Only: HTTP, Why: "stdio has no HTTP statuses", From: wire.Client, Fixed: true, read: status},
	{Kind: CutSSE, Doc: "end the event stream in the middle of the event", Only: HTTP, Why: "stdio has no event streams",
		From: wire.Server, Fixed: true},
	{Kind: ExpiredSession, Doc: "respond with HTTP status 404 to every request of the session from now on", Only: HTTP,
		Why: "stdio has no session IDs", From: wire.Client, Fixed: true},
	{Kind: StderrFlood, Doc: "write SIZE bytes to stderr before the message", Default: "1MiB", Only: Stdio,
		Why: "an HTTP server has no stderr that the client reads", From: wire.Server, read: size},
	{Kind: Exit, Doc: "kill the server process instead of passing the message on", Only: Stdio,
		Why: "tap did not start the HTTP server", From: wire.Server},
}

// info returns the description of a kind.
func info(kind Kind) *KindInfo {
	for i := range Kinds {
		if Kinds[i].Kind == kind {
			return &Kinds[i]
		}
	}
	return nil
}

// Names returns the names of all kinds.
func Names() []string {
	var names []string
	for _, k := range Kinds {
		names = append(names, string(k.Kind))
	}
	return names
}

// maxDuration is the maximum of a duration, and maxSize that of a size.
const (
	maxDuration = time.Hour
	maxSize     = 256 << 20
)

func duration(r *Rule) error {
	d, err := time.ParseDuration(r.Value)
	if err != nil || d <= 0 || d > maxDuration {
		return fmt.Errorf("invalid duration %q, expected a duration such as 500ms or 5s, at most 1h", r.Value)
	}
	r.duration = d
	return nil
}

func number(least, most int) func(*Rule) error {
	return func(r *Rule) error {
		n, err := strconv.Atoi(r.Value)
		if err != nil || n < least || n > most {
			return fmt.Errorf("invalid value %q, expected an integer", r.Value)
		}
		r.number = n
		return nil
	}
}

// statuses are the HTTP statuses that can be injected.
var statuses = []int{401, 404, 429, 500, 503}

func status(r *Rule) error {
	n, err := strconv.Atoi(r.Value)
	for _, s := range statuses {
		if err == nil && s == n {
			r.number = n
			return nil
		}
	}
	return fmt.Errorf("invalid HTTP status %q, expected 401, 404, 429, 500 or 503", r.Value)
}

// units are the units of sizes; the longest suffix is first.
var units = []struct {
	name  string
	bytes int
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"kB", 1000}, {"MB", 1_000_000}, {"B", 1}, {"", 1}}

func size(r *Rule) error {
	for _, u := range units {
		text, ok := strings.CutSuffix(r.Value, u.name)
		if !ok {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil || n <= 0 || n > maxSize/u.bytes {
			break
		}
		r.number = n * u.bytes
		return nil
	}
	return fmt.Errorf("invalid size %q, expected bytes such as 65536 or 16MiB, at most 256MiB", r.Value)
}
