package workbench

import (
	"fmt"
	"slices"
	"strings"
)

// Who a grant is for.
const (
	SurfaceLine      = "command line"
	SurfacePage      = "page"
	SurfaceAssistant = "assistant"
	SurfaceGateway   = "gateway"
)

// A Capability is what one surface may do with the user's machine, money or name, who grants it, and for how long.
// Help, page and docs/explanation/security.md print this declaration; a test compares it with the Grants of each
// surface.
type Capability struct {
	Name    string `json:"name"`
	Surface string `json:"surface"`
	By      string `json:"by"` // Always, Never, or who grants it and how
	Lasts   string `json:"lasts"`

	of func(Grants) bool // the grant that this is about; nil if a policy decides
}

// Who grants what needs no grant, and what cannot be granted.
const (
	Always = "always granted"
	Never  = "cannot be granted"
)

const (
	startProgram = "start a program"
	reachPrivate = "reach a private address"
	useFiles     = "read or write a file that an input names"
	saveSuite    = "save a suite below the working folder"
	readStdin    = "read standard input"
	passVariable = "pass an environment variable"
	callUnsafe   = "call tools in bulk that are not safe"
	spendMoney   = "call open-world tools in bulk, which may cost money"
	disturb      = "send load and malformed frames to a remote server"
)

const question = "a question to the user of the host (elicitation)"

const grantChoices = "one call, the session, or exactly this until the approval is deleted"

// Capabilities returns the permission model: each capability on each surface.
func Capabilities() []Capability {
	files, stdin := func(g Grants) bool { return g.Files }, func(g Grants) bool { return g.Stdin }
	environment, processes := func(g Grants) bool { return g.Environment }, func(g Grants) bool { return g.Processes }
	private, disruptive := func(g Grants) bool { return g.Private }, func(g Grants) bool { return g.Disruptive }
	unsafe := func(g Grants) bool { return g.UnsafeTools }
	return []Capability{
		{startProgram, SurfaceLine, Always, "the command", processes},
		{startProgram, SurfacePage, "the user, on the page, for exactly this command, folder and variables",
			"until it changes or is revoked", nil},
		{startProgram, SurfaceAssistant, "`serve --agent-may-spawn NAME` and `serve --approve`, or " + question +
			" for exactly this command",
			"until it changes; " + grantChoices, nil},
		{startProgram, SurfaceGateway, "the config file that the user names", "as long as it runs", nil},
		{reachPrivate, SurfaceLine, Always, "the command", private},
		{reachPrivate, SurfacePage, "the user, by the URL of a server or gateway", "the connection", nil},
		{reachPrivate, SurfaceAssistant, "`serve --allow-private`, or " + question +
			" for one address; for a session all loopback ones",
			"as long as `serve` runs; " + grantChoices, nil},
		{reachPrivate, SurfaceGateway, "the config file that the user names", "as long as it runs", nil},
		{useFiles, SurfaceLine, Always, "the command", files},
		{useFiles, SurfacePage, Never, "", files},
		{useFiles, SurfaceAssistant, Never, "", files},
		{saveSuite, SurfaceAssistant, question + " that shows the content", "this content in this file", nil},
		{readStdin, SurfaceLine, Always, "the command", stdin},
		{readStdin, SurfacePage, Never, "", stdin},
		{readStdin, SurfaceAssistant, Never, "", stdin},
		{passVariable, SurfaceLine, Always, "the command", environment},
		{passVariable, SurfacePage, "the user, as part of the approval of a configured server",
			"until it changes or is revoked", nil},
		{passVariable, SurfaceAssistant, "`serve --header-env VAR@ORIGIN`, or as part of the approval of a server",
			"as long as `serve` runs; until the entry changes", nil},
		{passVariable, SurfaceGateway, "the config file that the user names", "as long as it runs", nil},
		{callUnsafe, SurfaceLine, "`--tools`, `--tool`, `--allow`, `--allow-calls`, `--allow-unannotated`, " +
			"`--allow-destructive`", "the command", unsafe},
		{callUnsafe, SurfacePage, "the user, in the form of the operation", "the run", unsafe},
		{callUnsafe, SurfaceAssistant, Never + "; for `scaffold_suite` " + question + ", 2 calls of each tool",
			grantChoices, unsafe},
		{spendMoney, SurfaceLine, "the same flags; 5 calls of a tool are always granted", "the command", unsafe},
		{spendMoney, SurfacePage, "the user, in the form of the operation; 5 calls of a tool are always granted",
			"the run", unsafe},
		{spendMoney, SurfaceAssistant, Never + "; 5 calls of a tool in a run are always granted", "the run", unsafe},
		{disturb, SurfaceLine, "`--allow-disruptive`", "the command", disruptive},
		{disturb, SurfacePage, "the user, in the form of the operation", "the run", disruptive},
		{disturb, SurfaceAssistant, question, grantChoices, nil},
	}
}

// CapabilitiesOf returns the rows of one surface.
func CapabilitiesOf(surface string) []Capability {
	return slices.DeleteFunc(Capabilities(), func(c Capability) bool { return c.Surface != surface })
}

// CapabilityHelp is the part of the model for one surface, as plain text.
func CapabilityHelp(surface string) string {
	var text strings.Builder
	for _, c := range CapabilitiesOf(surface) {
		fmt.Fprintf(&text, "  %s: %s", c.Name, strings.ReplaceAll(c.By, "`", ""))
		if c.Lasts != "" {
			fmt.Fprintf(&text, " (%s)", strings.ReplaceAll(c.Lasts, "`", ""))
		}
		text.WriteString("\n")
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// CapabilityTable is the whole model as a table in Markdown.
func CapabilityTable() string {
	text := "| capability | surface | who grants it | how long |\n|---|---|---|---|\n"
	for _, c := range Capabilities() {
		text += fmt.Sprintf("| %s | %s | %s | %s |\n", c.Name, c.Surface, c.By, c.Lasts)
	}
	return text
}
