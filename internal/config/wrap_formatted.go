package config

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// withoutFront returns a wrapped JSON entry with its own command and arguments. It reports false if the entry does not
// start the front command with the server's command.
func (e *commandEntry) withoutFront(w *Wrapping) (text []byte, ok bool) {
	var program, own string
	if len(w.Front) == 0 || e.args == (span{}) ||
		json.Unmarshal([]byte(e.value(e.command)), &program) != nil || program != w.Front[0] ||
		json.Unmarshal([]byte(w.Command), &own) != nil {
		return nil, false
	}
	before := append(slices.Clone(w.Front[1:]), own)
	end, ok := e.argsAfter(before)
	if !ok {
		return nil, false
	}
	edits := []Edit{
		{At: e.command.from - e.at.from, Old: e.value(e.command), New: w.Command},
		{At: e.args.from + 1 - e.at.from, Old: string(e.source[e.args.from+1 : end])},
	}
	slices.SortFunc(edits, func(a, b Edit) int { return a.At - b.At })
	text, err := applied(e.source[e.at.from:e.at.to], edits)
	return text, err == nil
}

// argsAfter returns the offset in the file after the first arguments, with the comma that follows them. It reports false
// if the arguments are others.
func (e *commandEntry) argsAfter(first []string) (offset int, ok bool) {
	list := e.plain[e.args.from:e.args.to]
	decoder := jsontext.NewDecoder(bytes.NewReader(list))
	if _, err := decoder.ReadToken(); err != nil {
		return 0, false
	}
	for _, want := range first {
		token, err := decoder.ReadToken()
		if err != nil || token.Kind() != '"' || token.String() != want {
			return 0, false
		}
	}
	offset = int(decoder.InputOffset())
	rest := bytes.TrimLeft(list[offset:], " \t\r\n")
	if bytes.HasPrefix(rest, []byte(",")) {
		offset = len(list) - len(rest) + 1
	} else {
		offset = len(list) - len(rest)
	}
	return e.args.from + offset, true
}
