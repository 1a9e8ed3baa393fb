// Package render shows the view of a tool in a browser without a window, as a host does, and checks what it does there.
package render

import "github.com/mcptest-dev/mcptest/internal/finding"

const spec = "https://modelcontextprotocol.io/extensions/apps/overview"

// The rules, in the order of the report.
const (
	ruleStart     = "APP-018"
	ruleRender    = "APP-019"
	ruleHeight    = "APP-020"
	ruleErrors    = "APP-021"
	ruleOffered   = "APP-022"
	ruleRobust    = "APP-023"
	ruleForeign   = "APP-024"
	maxPerRule    = 20
	maxConsoleLen = 300
)

var rules = []finding.Rule{
	{ID: ruleStart, Severity: finding.Error, Spec: spec, Doc: "view does not start as specified\n\n" +
		"The view must send ui/initialize with appInfo, appCapabilities and protocolVersion, and then " +
		"ui/notifications/initialized, once. Hosts send nothing before that, and hide a frame that does not start. A second " +
		"ui/initialize is the sign of a view that is mounted twice.\n\nConnect with the App class of " +
		"@modelcontextprotocol/ext-apps, once, when the page is loaded."},
	{ID: ruleRender, Severity: finding.Warning, Spec: spec, Doc: "view shows nothing or reports no size\n\n" +
		"After the arguments and the result were sent, the view is blank, or has not sent ui/notifications/size-changed. " +
		"Hosts that size the frame by the report then show a frame without height.\n\nShow the result in the handler of " +
		"tool-result, and leave autoResize of the App class on."},
	{ID: ruleHeight, Severity: finding.Warning, Doc: "height of the view does not settle\n\n" +
		"Hosts set the height of the frame to the reported one. If the content depends on the height of the frame, such as " +
		"by 100vh, each report causes another one, and the frame grows or shrinks without end.\n\nUse a height that " +
		"depends on the content only."},
	{ID: ruleErrors, Severity: finding.Warning, Spec: spec, Doc: "errors and blocked loads in the view\n\n" +
		"A script of the view failed, or the content security policy blocked a load. Hosts allow only the origins in " +
		"_meta.ui.csp of the resource. No entry allows eval, or code from blob: and data: URLs: the reference host allows " +
		"them, but the specification does not, and hosts that follow it block them.\n\nAdd the missing origin to the list " +
		"that the finding names, or include the file in the HTML. Replace eval by a script element, which is allowed, and " +
		"run the code of a worker in the page."},
	{ID: ruleOffered, Severity: finding.Error, Spec: spec, Doc: "view requests what the host does not offer\n\n" +
		"The host declares in hostCapabilities and availableDisplayModes what it supports. Other requests fail.\n\n" +
		"Check the capabilities before you send a request, and keep the view usable without them."},
	{ID: ruleRobust, Severity: finding.Warning, Doc: "view fails on an unusual result or setting\n\n" +
		"Views also get empty arguments, results with isError, a cancelled call, the dark theme and 320 pixels of width, and " +
		"must respond to ui/resource-teardown before they are removed. The view failed or is blank in one of these.\n\n" +
		"Handle each of them; use the colors of the host context."},
	{ID: ruleForeign, Severity: finding.Warning, Spec: spec, Doc: "view calls a tool that is not for apps\n\n" +
		"Hosts reject calls of a view to tools whose visibility does not contain \"app\", and to tools of other " +
		"servers.\n\nAdd \"app\" to _meta.ui.visibility of the tool."},
}

// Rules lists the rules.
func Rules() []finding.Rule { return rules }
