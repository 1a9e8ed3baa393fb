package config

// A Key is a member of an entry in a config file.
type Key struct {
	Names   []string // the first is ours; hosts have others for the same
	Type    string
	Doc     string
	Example string // as JSON

	read func(r *reader, e *Entry, f member) bool
}

// Keys lists the members that are read. Others are the host's business.
func Keys() []Key {
	return []Key{
		{Names: []string{"command"}, Type: "string", Doc: "the program that is the server; it is started without a shell", Example: `"npx"`,
			read: func(r *reader, e *Entry, f member) bool { return r.text(e, f, &e.Command) }},
		{Names: []string{"args"}, Type: "array of strings", Doc: "its arguments", Example: `["-y", "some-server"]`,
			read: func(r *reader, e *Entry, f member) bool { return r.list(e, f, &e.Args) }},
		{Names: []string{"env"}, Type: "object of strings", Doc: "variables of its environment, beside the few that every server gets; null leaves one out", Example: `{"API_KEY": "${API_KEY}"}`,
			read: func(r *reader, e *Entry, f member) bool { return r.variables(e, f, &e.Env) }},
		{Names: []string{"envFile"}, Type: "string", Doc: "a file with more variables, NAME=value a line", Example: `"${workspaceFolder}/.env"`,
			read: func(r *reader, e *Entry, f member) bool { return r.text(e, f, &e.EnvFile) }},
		{Names: []string{"cwd"}, Type: "string", Doc: "the directory that it runs in", Example: `"${workspaceFolder}"`,
			read: func(r *reader, e *Entry, f member) bool { return r.text(e, f, &e.Cwd) }},
		{Names: []string{"url", "serverUrl", "httpUrl"}, Type: "string", Doc: "the address of a server that runs, instead of command", Example: `"https://mcp.example.com/mcp"`,
			read: func(r *reader, e *Entry, f member) bool { return r.text(e, f, &e.URL) }},
		{Names: []string{"headers"}, Type: "object of strings", Doc: "HTTP headers for it", Example: `{"Authorization": "Bearer ${TOKEN}"}`,
			read: func(r *reader, e *Entry, f member) bool { return r.variables(e, f, &e.Headers) }},
		{Names: []string{"type", "transport"}, Type: "string", Doc: "stdio, http (also streamable-http) or sse; without it command means stdio, and of a URL it is found out", Example: `"http"`,
			read: func(r *reader, e *Entry, f member) bool { return r.text(e, f, &e.Type) }},
		{Names: []string{"disabled"}, Type: "boolean", Doc: "true leaves the server out", Example: `true`,
			read: func(r *reader, e *Entry, f member) bool { return r.flag(e, f, true) }},
		{Names: []string{"enabled"}, Type: "boolean", Doc: "false is the same as disabled: true", Example: `false`,
			read: func(r *reader, e *Entry, f member) bool { return r.flag(e, f, false) }},
	}
}

// A Place is a file that is looked at for servers.
type Place struct {
	File string
	Host string
	Whom Scope
}

// Places lists the files that are looked at on a system, those of the project first.
func Places(sys System) []Place {
	var all []Place
	for _, p := range places(sys) {
		all = append(all, Place{p.file, p.host, p.scope})
	}
	return all
}

// A Placeholder is what a value may hold in place of text.
type Placeholder struct{ Text, Doc string }

// Placeholders lists them; see Expand.
func Placeholders() []Placeholder {
	return []Placeholder{
		{"${NAME}", "the environment variable; if it is not set, the server cannot be used, and that is told"},
		{"${NAME:-text}", "the same, or the text if it is not set or empty"},
		{"${env:NAME}", "the same as ${NAME}"},
		{"${workspaceFolder}", "the directory of the project"},
		{"${workspaceFolderBasename}", "its last part"},
		{"${userHome}", "the home directory"},
		{"${pathSeparator}", "what stands between the parts of a path"},
	}
}
