package lint

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestHostile gives the rules and the fix schemas that are made to take for ever.
func TestHostile(t *testing.T) {
	for name, input := range map[string]string{
		"doubling": doubling("anyOf", 60), "doubling-allOf": doubling("allOf", 60), "doubling-oneOf": doubling("oneOf", 60),
		"chain":   `{"type":"object","properties":{"a":{"$ref":"#/$defs/d0"}},"$defs":{` + many(20_000, `"d%d":{"$ref":"#/$defs/d%d"}`) + `}}`,
		"anchors": `{"type":"object","properties":{` + many(20_000, `"p%d":{"$ref":"#a%d"}`) + `},"$defs":{` + many(20_000, `"d%d":{"$anchor":"a%d"}`) + `}}`,
		"wide":    `{"type":"object","properties":{` + many(50_000, `"p%d":{"type":"string","default":%d}`) + `},"required":["x"]}`,
		"twins":   `{"type":"object","properties":{` + many(2000, `"p%d":{"type":"object","properties":{"q%d":{}}}`) + `},"allOf":[{"properties":{` + many(2000, `"p%d":{"$ref":"#/properties/p%d"}`) + `}}]}`,
		"deep":    strings.Repeat(`{"type":"object","properties":{"a":`, 400) + `{}` + strings.Repeat(`}}`, 400),
		"ring":    `{"type":"object","properties":{` + many(2000, `"p%d":{"type":"object","properties":{"q":{"$ref":"#/properties/p%d"}}}`) + `}}`,
		"pattern": `{"type":"object","properties":{"a":{"type":"string","pattern":"` + strings.Repeat("(", 100_000) + `"}}}`,
		"enum":    `{"type":"object","properties":{"a":{"enum":[` + strings.TrimSuffix(strings.Repeat(`"x",`, 100_000), ",") + `]}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			started := time.Now()
			c, err := ReadCatalog([]byte(`[{"name":"t","inputSchema":`+input+`}]`), name)
			if err != nil {
				t.Fatal(err)
			}
			Run(context.Background(), c, &Options{Hosts: []string{"all"}})
			for _, mode := range Modes() {
				if _, _, err := Fix(c, mode); err != nil {
					t.Error(err)
				}
			}
			if took := time.Since(started); took > 20*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

// doubling refers twice to what refers twice, and so on.
func doubling(keyword string, n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"type":"object","properties":{"a":{"$ref":"#/$defs/d0"}},"$defs":{`)
	for i := range n {
		fmt.Fprintf(&b, `"d%d":{%q:[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, keyword, i+1, i+1)
	}
	fmt.Fprintf(&b, `"d%d":{"type":"string"}}}`, n)
	return b.String()
}

// many repeats a member with two numbers in it, the second one more than the first.
func many(n int, format string) string {
	members := make([]string, n)
	for i := range members {
		members[i] = fmt.Sprintf(format, i, i+1)
	}
	return strings.Join(members, ",")
}
