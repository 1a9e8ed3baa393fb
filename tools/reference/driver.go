package main

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/driver"
)

// driverPage is the page about the protocol of mcptest driver.
func driverPage() string {
	var out strings.Builder
	out.WriteString("# Protocol of mcptest driver\n\n" +
		"[mcptest driver](../driver.md) describes how to use the protocol. Messages are JSON-RPC 2.0, one per line, on stdin and " +
		"stdout. `mcptest schema driver` prints the JSON Schema. Fields marked with * are required. Requests with unknown " +
		"fields are rejected; clients ignore unknown fields in results, which may be added within a version.\n\n## Methods\n\n")
	for _, m := range driver.Methods() {
		fmt.Fprintf(&out, "### %s\n\n%s.\n\n", m.Name, m.Doc)
		fieldTable(&out, "parameter", m.Params)
		fieldTable(&out, "result", m.Result)
	}
	out.WriteString("### cancel\n\nA notification: cancel a request in flight, whose error is then -32002.\n\n")
	fieldTable(&out, "parameter", driver.Fields(reflect.TypeFor[driver.Cancel]()))
	out.WriteString("### note\n\nA notification of mcptest with a remark for the user, such as a protocol violation.\n\n" +
		"| parameter | type | meaning |\n|---|---|---|\n| `text`* | string | the remark |\n\n## Types\n\n")
	for _, t := range driver.Types() {
		fmt.Fprintf(&out, "### %s\n\n", t.Name())
		fieldTable(&out, "field", driver.Fields(t))
	}
	return strings.TrimSuffix(out.String(), "\n")
}

func fieldTable(out *strings.Builder, title string, fields []driver.Field) {
	if len(fields) == 0 {
		return
	}
	fmt.Fprintf(out, "| %s | type | meaning |\n|---|---|---|\n", title)
	for _, f := range fields {
		mark := ""
		if f.Required {
			mark = "*"
		}
		fmt.Fprintf(out, "| `%s`%s | %s | %s |\n", f.Name, mark, f.Type, f.Doc)
	}
	out.WriteString("\n")
}
