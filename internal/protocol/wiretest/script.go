// Package wiretest implements a server that responds from a script, byte for byte.
//
// A script is text. An unindented line starts a rule, the indented lines below it are its steps:
//
//	start                              immediately, before anything is read
//	    stderr "warming up\n"
//	on initialize                      when a message with this method arrives
//	    result {"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}
//	on tools/call                      the first time
//	    sleep 20ms
//	    result {"content":[],"echo":$arguments}
//	on tools/call                      every later time
//	    error -32603 tired
//	on *                               any other request
//	    error -32601 unknown
//
// Messages are handled immediately and concurrently. Over HTTP the rules "GET" and "DELETE" handle those requests,
// and "response" handles responses of a client. A notification without a rule is only recorded, and so is a request
// without one if there is no "*".
//
// Steps on every transport:
//
//	send TEXT          one message, with the framing of the transport
//	result JSON        the result for the message
//	error CODE TEXT    an error response
//	notify METHOD JSON a notification
//	write "QUOTED"     bytes without any framing, in Go's notation
//	drip DURATION TEXT a message, one byte at a time
//	repeat N STEP      a step, repeated
//	sleep DURATION
//	hang               nothing more until the connection ends
//	wait METHOD        until a message with that method has arrived
//
// On a pipe also: stderr "QUOTED", exit STATUS, close (the output), deaf (read nothing more). Over HTTP also: status N,
// header NAME: VALUE, sse (the messages that follow are events), cut (close the connection).
//
// In a step $id, $params, $arguments and $token are replaced by parts of the message, unchanged, $n by how often its
// rule has run, $pid by the process ID, $fill(N) by N letters and $nest(N) by N nested arrays.
package wiretest

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Script defines what a server does.
type Script struct {
	start []step
	rules map[string][][]step // by method; one list of steps for each time, the last for all later ones
}

// A step is one line of a script.
type step struct {
	verb  string
	text  string        // the rest of the line; unquoted if the verb requires quotes
	pause time.Duration // of sleep and drip
	times int           // how often; 1 unless repeated
}

// Parse reads a script.
func Parse(script string) (*Script, error) {
	s := &Script{rules: map[string][][]step{}}
	var into *[]step
	for number, line := range strings.Split(script, "\n") {
		words := strings.TrimSpace(line)
		if words == "" || strings.HasPrefix(words, "#") {
			continue
		}
		if line[0] != ' ' && line[0] != '\t' {
			if into = s.begin(words); into == nil {
				return nil, fmt.Errorf("line %d: %q does not start a rule, expected start or on METHOD", number+1,
					words)
			}
			continue
		}
		st, err := parseStep(words)
		if err == nil && into == nil {
			err = fmt.Errorf("a step before the first rule")
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number+1, err)
		}
		*into = append(*into, st)
	}
	return s, nil
}

// begin starts a rule and returns where its steps are stored.
func (s *Script) begin(line string) *[]step {
	if line == "start" {
		return &s.start
	}
	method, ok := strings.CutPrefix(line, "on ")
	if !ok {
		return nil
	}
	s.rules[method] = append(s.rules[method], nil)
	return &s.rules[method][len(s.rules[method])-1]
}

// verbs defines the format of the rest of a line.
var verbs = map[string]string{
	"send": "text", "result": "text", "error": "text", "notify": "text", "wait": "text", "status": "text",
	"header": "text",
	"write":  "quoted", "stderr": "quoted", "sleep": "pause", "drip": "pause", "exit": "text", "repeat": "repeat",
	"hang": "", "close": "", "deaf": "", "sse": "", "cut": "",
}

func parseStep(line string) (step, error) {
	verb, rest, _ := strings.Cut(line, " ")
	st := step{verb: verb, text: rest, times: 1}
	form, known := verbs[verb]
	var err error
	switch {
	case !known:
		err = fmt.Errorf("unknown step %q", verb)
	case form == "quoted":
		st.text, err = strconv.Unquote(rest)
	case form == "pause":
		pause, text, _ := strings.Cut(rest, " ")
		st.text = text
		st.pause, err = time.ParseDuration(pause)
	case form == "repeat":
		times, inner, _ := strings.Cut(rest, " ")
		if st, err = parseStep(inner); err == nil {
			st.times, err = strconv.Atoi(times)
		}
	}
	if err != nil {
		return st, fmt.Errorf("%s: %w", line, err)
	}
	return st, nil
}

// stepsFor returns the steps for the n-th message of that method, from 1.
func (s *Script) stepsFor(method string, n int, request bool) []step {
	times, ok := s.rules[method]
	if !ok && request {
		times, ok = s.rules["*"]
	}
	if !ok {
		return nil
	}
	return times[min(n, len(times))-1]
}
