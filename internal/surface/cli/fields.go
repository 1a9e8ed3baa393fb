package cli

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A field is one field of an operation's input.
type field struct {
	workbench.Field
	flag  string // its name as a flag
	value reflect.Value
}

type fields []field

// fieldsOf lists the fields of a pointer to an input struct that are flags or arguments, except the omitted ones.
func fieldsOf(in any, omit ...string) fields {
	var all fields
	for _, f := range workbench.FieldsOf(reflect.TypeOf(in).Elem()) {
		if f.Role != "-" && !slices.Contains(omit, f.Name) {
			all = append(all, field{f, strings.ReplaceAll(f.Name, "_", "-"), f.Value(in)})
		}
	}
	return all
}

func (fs fields) with(role string) fields {
	var out fields
	for _, f := range fs {
		if f.Role == role {
			out = append(out, f)
		}
	}
	return out
}

// alone reports whether a flag was given that requires no server.
func (fs fields) alone() bool {
	return slices.ContainsFunc(fs, func(f field) bool { return f.Alone && !f.value.IsZero() })
}

func (fs fields) flags() fields { return fs.with("") }

// register adds the field as a flag.
func (f field) register(flags *pflag.FlagSet) {
	doc := f.Doc
	switch p := f.value.Addr().Interface().(type) {
	case *string:
		flags.StringVarP(p, f.flag, f.Short, "", doc)
	case *bool:
		flags.BoolVarP(p, f.flag, f.Short, false, doc)
	case *int:
		flags.IntVarP(p, f.flag, f.Short, 0, doc)
	case *uint64:
		flags.Uint64VarP(p, f.flag, f.Short, 0, doc)
	case *time.Duration:
		flags.DurationVarP(p, f.flag, f.Short, 0, doc)
	case *[]string:
		flags.StringArrayVarP(p, f.flag, f.Short, nil, doc)
	default:
		panic(fmt.Sprintf("flag --%s has the unsupported type %T", f.flag, p))
	}
	if flag := flags.Lookup(f.flag); f.Placeholder != "" {
		flag.Value, flag.DefValue = hinted{flag.Value, f.Placeholder}, ""
	}
}

// given rejects flags with an empty value, for example from an unset shell variable.
func (fs fields) given(flags *pflag.FlagSet) *workbench.UsageError {
	for _, f := range fs.flags() {
		if f.NotEmpty && flags.Changed(f.flag) && f.value.IsZero() {
			return &workbench.UsageError{Message: "--" + f.flag + " must not be empty",
				Hint: "remove the flag, or give it a value; "}
		}
	}
	return nil
}

// A hinted value has a placeholder for help, instead of its Go type.
type hinted struct {
	pflag.Value
	hint string
}

// Type returns what help shows after the flag.
func (h hinted) Type() string { return h.hint }

// usage returns the usage line of a command.
func usage(name string, fs fields) string {
	words := strings.Fields(name)
	parts := []string{words[len(words)-1]}
	for _, f := range fs {
		switch f.Role {
		case "arg":
			parts = append(parts, strings.ToUpper(f.flag))
		case "optional":
			parts = append(parts, "["+strings.ToUpper(f.flag)+"]")
		case "rest":
			parts = append(parts, "["+strings.ToUpper(f.Placeholder)+"...]")
		}
	}
	switch {
	case len(fs.with("command")) > 0 && len(fs.with("target")) == 0:
		parts = append(parts, "[-- COMMAND [ARGS...]]")
	case len(fs.with("command")) > 0:
		parts = append(parts, "{TARGET | -- COMMAND [ARGS...]}")
	case len(fs.with("target")) > 0:
		parts = append(parts, "TARGET")
	}
	return strings.Join(parts, " ")
}

// takenFor describes how the arguments were used if none is left for the server.
func (fs fields) takenFor(own []string) string {
	text := ""
	for i, f := range fs.with("arg") {
		if i < len(own) {
			text += fmt.Sprintf("; %q was used as %s", own[i], strings.ToUpper(f.flag))
		}
	}
	return text
}

// strayDashes returns an error if -- is repeated, or is before a URL.
func strayDashes(command []string) *workbench.UsageError {
	switch {
	case len(command) > 0 && command[0] == "--":
		return &workbench.UsageError{Message: "-- is repeated", Hint: "put -- once, before the server's command; "}
	case len(command) == 1 && (strings.HasPrefix(command[0], "http://") || strings.HasPrefix(command[0], "https://")):
		return &workbench.UsageError{Message: fmt.Sprintf("%q is a URL, not a command", command[0]),
			Hint: "pass the URL without --; "}
	}
	return nil
}

// positional assigns the arguments to fields: what follows -- is the command, and without one the last argument
// is the target.
func (fs fields) positional(args []string, dash int) *workbench.UsageError {
	own, command := args, []string(nil)
	if dash >= 0 {
		own, command = args[:dash], args[dash:]
	}
	if err := strayDashes(command); err != nil {
		return err
	}
	if commands := fs.with("command"); len(commands) > 0 && len(fs.with("target")) == 0 {
		commands[0].value.Set(reflect.ValueOf(command))
	}
	if targets := fs.with("target"); len(targets) > 0 {
		switch {
		case len(command) > 0 && len(fs.with("command")) == 0:
			return &workbench.UsageError{Message: "unexpected command after --",
				Hint: "pass a URL or a configured server name; "}
		case len(command) > 0:
			fs.with("command")[0].value.Set(reflect.ValueOf(command))
		case fs.alone() && len(fs.with("rest")) > 0: // all arguments are the command's own
		case len(own) > len(fs.with("arg")):
			targets[0].value.SetString(own[len(own)-1])
			own = own[:len(own)-1]
		case fs.alone():
		default:
			return &workbench.UsageError{Message: "missing server argument" + fs.takenFor(own),
				Hint: "pass a URL, a configured server name, demo, or -- COMMAND; "}
		}
	}
	if rest := fs.with("rest"); len(rest) > 0 {
		rest[0].value.Set(reflect.ValueOf(own))
		return nil
	}
	for _, f := range append(fs.with("arg"), fs.with("optional")...) {
		if len(own) == 0 {
			if f.Role == "arg" {
				return &workbench.UsageError{Message: strings.ToUpper(f.flag) + ": missing argument (" + f.Doc + ")"}
			}
			return nil
		}
		f.value.SetString(own[0])
		own = own[1:]
	}
	if len(own) > 0 {
		return &workbench.UsageError{Message: fmt.Sprintf("unexpected argument %q", own[0]),
			Hint: "put the server's command after --; "}
	}
	return nil
}
