package exemplar

// viewURI is the view of the tool echo, in the revisions in which a tool has _meta.
const viewURI = "ui://exemplar/echo.html"

const viewContent = `{"uri":"` + viewURI + `","mimeType":"text/html;profile=mcp-app","text":"<!doctype html>` +
	`<title>echo</title><p id=said></p><script>parent.postMessage({jsonrpc:'2.0',id:1,method:'ui/initialize',params:{` +
	`protocolVersion:'2026-01-26',appInfo:{name:'echo',version:'1'},appCapabilities:{}}},'*')</script>",` +
	`"_meta":{"ui":{"csp":{}}}}`

func viewEntries(c *Call) []string {
	if c.Revision < "2025-06-18" {
		return nil
	}
	return []string{`{"uri":"` + viewURI + `","name":"echo","mimeType":"text/html;profile=mcp-app",` +
		`"_meta":{"ui":{"csp":{}}}}`}
}
