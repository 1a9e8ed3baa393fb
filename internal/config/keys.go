package config

// A Key is a field of an entry in a config file.
type Key struct {
	Names   []string // the first is ours; the others are aliases used by hosts
	Type    string
	Doc     string
	Example string // as JSON

	read func(r *reader, e *Entry, f member) bool
}

// Keys lists the fields that are read. Others belong to the host.
func Keys() []Key {
	return []Key{
		{Names: []string{"command"}, Type: "string", Doc: "command to run the server (no shell)", Example: `"npx"`,
			read: func(r *reader, e *Entry, f member) bool { return r.text(e, f, &e.Command) }},
		{Names: []string{"args"}, Type: "array of strings", Doc: "its arguments", Example: `["-y", "some-server"]`,
			read: func(r *reader, e *Entry, f member) bool { return r.list(e, f, &e.Args) }},
		{Names: []string{"env"}, Type: "object of strings",
			Doc:     "environment variables, in addition to the few that every server gets; null omits one",
			Example: `{"API_KEY": "${API_KEY}"}`,
			read:    func(r *reader, e *Entry, f member) bool { return r.variables(e, f, &e.Env) }},
		{Names: []string{"envFile"}, Type: "string", Doc: "a file with more variables, one NAME=value per line",
			Example: `"${workspaceFolder}/.env"`,
			read:    func(r *reader, e *Entry, f member) bool { return r.text(e, f, &e.EnvFile) }},
		{Names: []string{"cwd"}, Type: "string", Doc: "the working directory", Example: `"${workspaceFolder}"`,
			read: func(r *reader, e *Entry, f member) bool { return r.text(e, f, &e.Cwd) }},
		{Names: []string{"url", "serverUrl", "httpUrl"}, Type: "string",
			Doc: "the URL of a running server, instead of command", Example: `"https://mcp.example.com/mcp"`,
			read: func(r *reader, e *Entry, f member) bool { return r.text(e, f, &e.URL) }},
		{Names: []string{"headers"}, Type: "object of strings", Doc: "HTTP headers of requests",
			Example: `{"Authorization": "Bearer ${TOKEN}"}`,
			read:    func(r *reader, e *Entry, f member) bool { return r.variables(e, f, &e.Headers) }},
		{Names: []string{"type", "transport"}, Type: "string",
			Doc:     "stdio, http (also streamable-http) or sse; default: stdio for command, detected for url",
			Example: `"http"`,
			read:    func(r *reader, e *Entry, f member) bool { return r.text(e, f, &e.Type) }},
		{Names: []string{"disabled"}, Type: "boolean", Doc: "true disables the server", Example: `true`,
			read: func(r *reader, e *Entry, f member) bool { return r.flag(e, f, true) }},
		{Names: []string{"enabled"}, Type: "boolean", Doc: "false is the same as disabled: true", Example: `false`,
			read: func(r *reader, e *Entry, f member) bool { return r.flag(e, f, false) }},
	}
}

// A Location is a file that is searched for servers.
type Location struct {
	File string
	Host string
	Whom Scope
}

// Locations lists the files that are searched on a system, those of the project first.
func Locations(sys System) []Location {
	var all []Location
	for _, p := range locations(sys) {
		all = append(all, Location{p.file, p.host, p.scope})
	}
	return all
}

// A Placeholder is a reference that a value may contain.
type Placeholder struct{ Text, Doc string }

// Placeholders lists them; see Expand.
func Placeholders() []Placeholder {
	return []Placeholder{
		{"${NAME}", "the environment variable; if it is not set, using the server is an error"},
		{"${NAME:-text}", "the same, or the default if it is not set or empty"},
		{"${env:NAME}", "the same as ${NAME}"},
		{"${workspaceFolder}", "the project directory"},
		{"${workspaceFolderBasename}", "the last element of its path"},
		{"${userHome}", "the home directory"},
		{"${pathSeparator}", "the path separator"},
	}
}
