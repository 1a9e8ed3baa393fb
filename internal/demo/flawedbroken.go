package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// brokenTools have wrong behavior.
func brokenTools() []rawTool {
	return []rawTool{
		// 3. temperature is a string and humidity is missing.
		{"get_weather", define("get_weather", "Returns the weather in a city as structured data.",
			closed(`"town":{"type":"string","maxLength":100,"description":"The name of the city."}`, `"town"`),
			`"outputSchema":`+closed(`"temperature":{"type":"number"},"humidity":{"type":"number"}`,
				`"temperature","humidity"`)+","+readOnly),
			gives(`{"content":[{"type":"text","text":"{\"temperature\":\"21\"}"}],` +
				`"structuredContent":{"temperature":"21"}}`)},
		// 4. Division by zero is not handled.
		{"divide", define("divide", "Divides one integer by another and discards the remainder.",
			closed(`"a":{"type":"integer","description":"The dividend."},"b":{"type":"integer","description":"The `+
				`divisor."}`, `"a","b"`),
			readOnly), divide},
		// 5. The caller passed a progress token and gets no notification.
		{"build_report", define("build_report", "Builds the monthly report. Takes about two seconds.", noProperties,
			readOnly), buildReport},
		// 6. Progress must increase with each notification.
		{"import_rows", define("import_rows", "Checks a few rows as an import would, and reports progress.",
			noProperties, readOnly), importRows},
		// 7. Details that help the author also help an attacker.
		{"load_config", define("load_config", "Returns a service setting by name.",
			closed(`"name":{"type":"string","maxLength":50,"description":"The name of the setting."}`, `"name"`),
			readOnly), loadConfig},
		// 8. Arguments are used before they are checked.
		{"count_words", define("count_words", "Counts the words in a text.",
			closed(`"text":{"type":"string","maxLength":10000,"description":"The text."}`, `"text"`), readOnly),
			countWords},
		// 12. The data is not base64, and would not be a PNG if it were.
		{"get_logo", define("get_logo", "Returns the logo as an image.", noProperties, readOnly),
			gives(`{"content":[{"type":"image","data":"<svg>not base64</svg>","mimeType":"image/png"}]}`)},
		// 14. A client without structured content sees nothing.
		{"file_info", define("file_info", "Returns the name and size of the sample file.", noProperties,
			`"outputSchema":`+closed(`"name":{"type":"string"},"size":{"type":"integer"}`, `"name","size"`)+","+
				readOnly),
			gives(`{"content":[],"structuredContent":{"name":"sample.txt","size":12}}`)},
	}
}

// gives is a tool that always returns the same result.
func gives(result string) func(context.Context, *rawCall) (string, *serve.Error) {
	return func(context.Context, *rawCall) (string, *serve.Error) { return result, nil }
}

func divide(ctx context.Context, c *rawCall) (string, *serve.Error) {
	args := serve.Members(c.arguments)
	a, errA := strconv.ParseInt(string(args["a"]), 10, 64)
	b, errB := strconv.ParseInt(string(args["b"]), 10, 64)
	if errA != nil || errB != nil {
		return errorResult("a and b must be integers"), nil
	}
	if b == 0 {
		c.die(&Crash{Code: 2, Message: "panic: runtime error: integer divide by zero"})
		<-ctx.Done()
		// the process is gone, so it is not sent
		return "", &serve.Error{Code: serve.CodeInternal, Message: "the server crashed"}
	}
	return textResult(strconv.FormatInt(a/b, 10)), nil
}

func buildReport(ctx context.Context, _ *rawCall) (string, *serve.Error) {
	select {
	case <-ctx.Done():
	case <-time.After(2 * time.Second):
	}
	return textResult("42 visits"), nil
}

func importRows(_ context.Context, c *rawCall) (string, *serve.Error) {
	if c.progressToken == nil {
		return textResult("3 rows are valid"), nil
	}
	for _, done := range []int{1, 3, 2, 2} {
		c.notify("notifications/progress", struct {
			ProgressToken json.RawMessage `json:"progressToken"`
			Progress      int             `json:"progress"`
			Total         int             `json:"total"`
		}{c.progressToken, done, 3})
	}
	return textResult("3 rows are valid"), nil
}

func loadConfig(_ context.Context, c *rawCall) (string, *serve.Error) {
	var name string
	if json.Unmarshal(serve.Members(c.arguments)["name"], &name) == nil && name == "greeting" {
		return textResult("hello"), nil
	}
	return errorResult(fmt.Sprintf("KeyError: %q\nTraceback (most recent call last):\n"+
		"  File \"/home/deploy/service/config.py\", line 41, in load\n    return settings[name]", name)), nil
}

func countWords(_ context.Context, c *rawCall) (string, *serve.Error) {
	var text string
	if json.Unmarshal(serve.Members(c.arguments)["text"], &text) != nil {
		return "", &serve.Error{Code: serve.CodeInternal,
			Message: "TypeError: Cannot read properties of undefined (reading 'split')"}
	}
	return textResult(strconv.Itoa(len(strings.Fields(text)))), nil
}
