package config

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// A Wrapping is how the entry of a server was changed so that another program runs its command. It contains what
// Unwrap needs, and no variables of the entry, which may be secrets.
type Wrapping struct {
	File   string `json:"file"`
	Host   string `json:"host"`
	Name   string `json:"name"`
	Edits  []Edit `json:"edits"`  // in order
	Before string `json:"before"` // hash of the entry
	After  string `json:"after"`

	Front   []string `json:"front,omitempty"`   // the front command
	Command string   `json:"command,omitempty"` // the server's command, as the file has it
}

// An Edit replaces a part of an entry.
type Edit struct {
	At  int    `json:"at"` // in the original entry
	Old string `json:"old,omitempty"`
	New string `json:"new"`
}

// Wrap prepares a change after which the host starts the front command, with the server's own command and arguments
// at its end. Every other byte of the file stays unchanged. If the server is wrapped already, nothing changes.
func Wrap(sys System, host, name string, front Command) (*Change, *Wrapping, error) {
	h, change, err := openHome(sys, host)
	if err != nil {
		return nil, nil, err
	}
	entry, err := h.entry(change.Before, name)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", change.File, err)
	}
	text := change.Before[entry.at.from:entry.at.to]
	w := &Wrapping{File: change.File, Host: host, Name: name, Before: hashOf(text),
		Front: append([]string{front.Program}, front.Args...), Command: entry.value(entry.command)}
	isFront := strings.HasPrefix(strings.TrimLeft(strings.TrimPrefix(entry.value(entry.args), "["), " \t\r\n"),
		quoteKey(front.Args[0]))
	if entry.value(entry.command) != quoteKey(front.Program) || !isFront {
		w.Edits = entry.wrapped(front)
	}
	after, err := applied(text, w.Edits)
	if err != nil {
		return nil, nil, err
	}
	w.After, change.After = hashOf(after), spliced(change.Before, entry.at, after)
	return change, w, nil
}

// Unwrap prepares the change that restores an entry byte for byte. An entry that the client has only formatted in
// another way is restored in that format.
func Unwrap(sys System, w *Wrapping) (*Change, error) {
	h, change, err := openHome(sys, w.Host)
	if err != nil {
		return nil, err
	}
	entry, err := h.entry(change.Before, w.Name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", change.File, err)
	}
	text := change.Before[entry.at.from:entry.at.to]
	change.After = change.Before
	switch hashOf(text) {
	case w.Before:
		return change, nil
	case w.After:
	default: // the client may have formatted its file
		if before, ok := entry.withoutFront(w); ok && h.list != "" {
			change.After = spliced(change.Before, entry.at, before)
			return change, nil
		}
		return nil, fmt.Errorf("%s: the entry %q has changed since it was wrapped; nothing was changed",
			change.File, w.Name)
	}
	var back []Edit
	shift := 0
	for _, e := range w.Edits {
		back = append(back, Edit{At: e.At + shift, Old: e.New, New: e.Old})
		shift += len(e.New) - len(e.Old)
	}
	before, err := applied(text, back)
	if err != nil || hashOf(before) != w.Before {
		return nil, fmt.Errorf("%s: the entry %q cannot be restored", change.File, w.Name)
	}
	change.After = spliced(change.Before, entry.at, before)
	return change, nil
}

func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func spliced(source []byte, at span, text []byte) []byte {
	return slices.Concat(source[:at.from], text, source[at.to:])
}

// applied returns the text with the edits.
func applied(text []byte, edits []Edit) ([]byte, error) {
	var out []byte
	done := 0
	for _, e := range edits {
		if e.At < done || !bytes.HasPrefix(text[min(e.At, len(text)):], []byte(e.Old)) {
			return nil, errors.New("edit does not match the entry")
		}
		out = append(append(out, text[done:e.At]...), e.New...)
		done = e.At + len(e.Old)
	}
	return append(out, text[done:]...), nil
}

// openHome reads the user's file of a host, which must exist.
func openHome(sys System, host string) (home, *Change, error) {
	i := slices.IndexFunc(homes, func(h home) bool { return h.host == host })
	if i < 0 {
		return home{}, nil, fmt.Errorf("unknown client %q, expected one of %s", host,
			strings.Join(InstallHosts(), ", "))
	}
	h := homes[i]
	change := &Change{File: h.file(sys)}
	if change.File == "" {
		return h, nil, fmt.Errorf("cannot find the config file of %s: home directory unknown", host)
	}
	source, err := os.ReadFile(change.File)
	if err != nil {
		return h, nil, fmt.Errorf("cannot read config %s: %w", change.File, unwrapPath(err))
	}
	change.Before = source
	return h, change, nil
}

// A commandEntry is the entry of a server that is started as a command.
type commandEntry struct {
	source        []byte
	plain         []byte // without comments, of equal length
	at            span
	command, args span // values; args is empty if there is none
	line          string
	pair          string // between a name and its value
}

func (e *commandEntry) value(at span) string { return string(e.source[at.from:at.to]) }

// wrapped returns the edits that put the front command before the command.
func (e *commandEntry) wrapped(front Command) []Edit {
	var words []string
	for _, arg := range front.Args {
		words = append(words, quoteKey(arg))
	}
	words = append(words, e.value(e.command))
	program := Edit{At: e.command.from - e.at.from, Old: e.value(e.command), New: quoteKey(front.Program)}
	text := strings.Join(words, ", ")
	if e.args == (span{}) {
		program.New += e.line + e.pair + "[" + text + "]"
		return []Edit{program}
	}
	if rest := e.plain[e.args.from+1 : e.args.to-1]; len(bytes.TrimSpace(rest)) > 0 {
		if text += ","; rest[0] != '\n' && rest[0] != '\r' && rest[0] != ' ' {
			text += " "
		}
	}
	edits := []Edit{program, {At: e.args.from + 1 - e.at.from, New: text}}
	slices.SortFunc(edits, func(a, b Edit) int { return a.At - b.At })
	return edits
}

// entry finds the entry of a server.
func (h home) entry(source []byte, name string) (*commandEntry, error) {
	if h.list == "" {
		return tomlEntry(source, name)
	}
	return jsonEntry(source, h.list, name)
}

func jsonEntry(source []byte, list, name string) (*commandEntry, error) {
	d := &document{original: source, plain: strict(source)}
	if bytes.HasPrefix(source, byteOrderMark) {
		copy(d.plain, "   ")
	}
	top, err := whole(d.plain)
	if err != nil || top.Kind() != '{' {
		return nil, errors.New("not a JSON object")
	}
	at := span{0, len(d.plain)}
	at.from = len(d.plain) - len(bytes.TrimLeft(d.plain, " \t\r\n"))
	at.to = at.from + len(top)
	for _, key := range []string{list, name} {
		var found bool
		if at, found, err = d.member(at, key); err != nil {
			return nil, err
		}
		if !found || d.plain[at.from] != '{' {
			return nil, fmt.Errorf("no server %q", name)
		}
	}
	e := &commandEntry{source: source, plain: d.plain, at: at, line: ", ", pair: `"args": `}
	command, found, err := d.member(at, "command")
	if err != nil || !found || d.plain[command.from] != '"' {
		return nil, errors.Join(err, fmt.Errorf("server %q has no command", name))
	}
	e.command = command
	if d.startsLine(command) {
		e.line = "," + d.newline() + d.indentAt(command.from)
	}
	args, found, err := d.member(at, "args")
	if err != nil || found && d.plain[args.from] != '[' {
		return nil, errors.Join(err, fmt.Errorf("the args of server %q are not a list", name))
	}
	if found {
		e.args = args
	}
	return e, nil
}
