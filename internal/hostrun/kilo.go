package hostrun

// kilo is made from opencode.
var kilo = Host{
	ID: "kilo", Package: "@kilocode/cli", Program: "kilo", API: chatAPI,
	Owns: prefixed("", "_"),
	Plan: func(s Setup) Plan {
		return Plan{
			Files: map[string]string{".config/kilo/kilo.json": opencodeConfig(s)},
			Args:  []string{"run", s.Prompt},
			Env: []string{"KILO_DISABLE_AUTOUPDATE=1", "KILO_DISABLE_MODELS_FETCH=1", "KILO_DISABLE_LSP_DOWNLOAD=1",
				"KILO_TELEMETRY_LEVEL=off"},
		}
	},
}
