package browser

import (
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
)

// A view behind a gateway uses the names of its server, and reaches only the tools of this server that are for apps.
func TestAppBehindAGateway(t *testing.T) {
	view := bridge + `<p id="p"></p><script>
start().then(async () => {
  const tell = (text) => request("ui/message", {role: "user", content: [{type: "text", text}]});
  for (const name of ["helper", "a__helper", "secret", "a__secret", "b__helper", "b__show", "unknown"]) {
    const answer = await request("tools/call", {name, arguments: {}});
    await tell(name + ": " + (answer.error?.message ?? answer.result.content[0].text));
  }
  await tell("list: " + (await request("tools/list")).result.tools.map((t) => t.name));
  for (const uri of ["ui://a/view", "ui://a/view#gateway=b"]) {
    const answer = await request("resources/read", {uri});
    await tell(uri + ": " + (answer.error?.message ?? answer.result.contents[0].uri));
  }
  await tell("end");
});</script>`
	a, b := &appServer{html: view}, &appServer{html: view}
	address, token := startGatewayWith(t, `{"mcpServers":{"a":{"url":`+quote(a.start(t))+`},"b":{"url":`+quote(b.start(t))+`}}}`)
	p := openTools(t, "--header", "Authorization: Bearer "+token, address)
	take(p.tab, chromedp.Evaluate[bool](`window.told = [], addEventListener("message", (e) => e.data.method === "ui/message" && `+
		`told.push(e.data.params.content[0].text)), true`))
	p.showView("a__show")
	p.until(`told.includes("end")`)
	got := take(p.tab, chromedp.Evaluate[[]string](`told`))
	want := []string{"helper: result of helper", "a__helper: result of helper",
		`secret: secret is not for apps: its visibility does not contain "app"`,
		`a__secret: a__secret is not for apps: its visibility does not contain "app"`,
		"b__helper: unknown tool: the server does not list b__helper", "b__show: unknown tool: the server does not list b__show",
		"unknown: unknown tool: the server does not list unknown", "list: helper,show",
		"ui://a/view: ui://a/view#gateway=a", "ui://a/view#gateway=b: a resource of another server: ui://a/view#gateway=b", "end"}
	if !slices.Equal(got, want) {
		t.Errorf("the view got\n%q, want\n%q", got, want)
	}
	for name, server := range map[string]*appServer{"a [show helper helper]": a, "b []": b} {
		close(server.calls)
		called := []string{}
		for tool := range server.calls {
			called = append(called, tool)
		}
		if is := fmt.Sprint(name[:2], called); is != name {
			t.Errorf("calls that reached the server: %s, want %s", is, name)
		}
	}
}
