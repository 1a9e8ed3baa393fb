package config

import (
	"math"
	"strconv"
	"time"
)

// codexKeys are fields that only Codex reads.
var codexKeys = []Key{
	{Names: []string{"env_vars"}, read: func(r *reader, e *Entry, f member) bool { return r.passed(e, f) }},
	{Names: []string{"http_headers"},
		read: func(r *reader, e *Entry, f member) bool { return r.variables(e, f, &e.Headers) }},
	{Names: []string{"env_http_headers"}, read: func(r *reader, e *Entry, f member) bool {
		var headers []Variable
		ok := r.variables(e, f, &headers)
		for _, h := range headers {
			e.Headers = append(e.Headers, Variable{h.Name, "${" + h.Value + "}", Optional})
		}
		return ok
	}},
	{Names: []string{"bearer_token_env_var"}, read: func(r *reader, e *Entry, f member) bool {
		var name string
		ok := r.text(e, f, &name)
		e.Headers = append(e.Headers, Variable{"Authorization", "Bearer ${" + name + "}", Required})
		return ok
	}},
	{Names: []string{"startup_timeout_sec"},
		read: func(r *reader, e *Entry, f member) bool { return r.startup(e, f, time.Second) }},
	{Names: []string{"startup_timeout_ms"}, read: func(r *reader, e *Entry, f member) bool {
		seconds := e.Startup
		ok := r.startup(e, f, time.Millisecond)
		if seconds > 0 {
			e.Startup = seconds
		}
		return ok
	}},
}

// geminiKeys are fields that only Gemini CLI reads.
var geminiKeys = []Key{
	{Names: []string{"timeout"},
		read: func(r *reader, e *Entry, f member) bool { return r.startup(e, f, time.Millisecond) }},
}

// ownKeys returns the fields that only this host reads.
func (r *reader) ownKeys() []Key {
	switch {
	case r.toml:
		return codexKeys
	case r.host == "gemini":
		return geminiKeys
	}
	return nil
}

// maxStartup is the longest time to wait for a server.
const maxStartup = 24 * time.Hour

func (r *reader) startup(e *Entry, f member, unit time.Duration) bool {
	number, err := strconv.ParseFloat(string(f.value), 64)
	if err != nil || !(number > 0) {
		return r.wrong(e, f, f.name, "a number above 0")
	}
	e.Startup = time.Duration(math.Min(number*float64(unit), float64(maxStartup)))
	return true
}

// passed reads the names of variables that the server gets from the environment of the host. Those of env override
// them.
func (r *reader) passed(e *Entry, f member) bool {
	if f.value.Kind() != '[' {
		return r.wrong(e, f, f.name, "an array of names")
	}
	var all []Variable
	for _, item := range r.items(f) {
		name, ok := scalar(item.value)
		for _, m := range r.membersIf(item) {
			if m.name == "name" {
				name, ok = scalar(m.value)
			}
		}
		if !ok || name == "" {
			return r.wrong(e, item, f.name+" item", "a name")
		}
		all = append(all, Variable{name, "${" + name + "}", Optional})
	}
	e.Env = append(all, e.Env...)
	return true
}
