//lint:file-ignore SA1019 logging, sampling and roots are deprecated but required by every revision so far

package demo

import (
	"context"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// plainTools return text.
func plainTools() []tool {
	return []tool{
		{
			name: "echo", title: "Echo",
			description: "Returns the message unchanged.",
			input: closed(`"message":{"type":"string","maxLength":100000,"description":"The text to return."}`,
				`"message"`),
			run: func(_ context.Context, c *call) (*mcp.CallToolResult, error) {
				return textOnly(arguments[struct{ Message string }](c).Message), nil
			},
		},
		{
			name: "wait", title: "Wait",
			description: "Waits for the given time, reports progress if requested, and stops immediately when " +
				"cancelled.",
			input: closed(`"milliseconds":{"type":"integer","minimum":0,"maximum":5000,"description":"The total time `+
				`to wait."},`+
				`"steps":{"type":"integer","minimum":1,"maximum":100,"description":"The number of progress `+
				`notifications (default: 5)."}`,
				`"milliseconds"`),
			run: wait,
		},
		{
			name: "fail", title: "Fail",
			description: "Always fails with the given reason, like a tool that could not complete its work.",
			input: closed(`"reason":{"type":"string","minLength":1,"maxLength":1000,"description":"The reason `+
				`for the failure."}`, `"reason"`),
			run: func(_ context.Context, c *call) (*mcp.CallToolResult, error) {
				return failed("Failed as requested: " + arguments[struct{ Reason string }](c).Reason), nil
			},
		},
		{
			name: "log", title: "Log",
			description: "Sends one log message of the given level. The client receives it if it requested that " +
				"level or a lower one.",
			input: closed(`"level":{"type":"string","enum":["debug","info","notice","warning","error","critical",`+
				`"alert","emergency"],`+
				`"description":"The severity of the message."},"text":{"type":"string","maxLength":1000,`+
				`"description":"The text of the message."}`,
				`"level","text"`),
			run: logMessage,
		},
	}
}

func wait(ctx context.Context, c *call) (*mcp.CallToolResult, error) {
	a := arguments[struct {
		Milliseconds float64
		Steps        float64
	}](c)
	if a.Steps == 0 {
		a.Steps = 5
	}
	began := time.Now()
	total := time.Duration(a.Milliseconds) * time.Millisecond
	c.progress(ctx, 0, a.Steps) // at once: a client that waits sees that the call has begun
	for i := 1.0; i <= a.Steps; i++ {
		until := time.Duration(float64(total) * i / a.Steps)
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(until - time.Since(began)):
		}
		c.progress(ctx, i, a.Steps)
	}
	return textOnly(fmt.Sprintf("Waited %d milliseconds in %d steps.", int(a.Milliseconds), int(a.Steps))), nil
}

// progress sends the progress of the call, if the client requested it.
func (c *call) progress(ctx context.Context, done, total float64) {
	token := c.request.Params.GetProgressToken()
	if token == nil {
		return
	}
	c.request.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
		ProgressToken: token, Progress: done, Total: total,
		Message: fmt.Sprintf("step %d of %d", int(done), int(total)),
	})
}

func logMessage(ctx context.Context, c *call) (*mcp.CallToolResult, error) {
	a := arguments[struct{ Level, Text string }](c)
	err := c.request.Session.Log(ctx, &mcp.LoggingMessageParams{Level: mcp.LoggingLevel(a.Level), Logger: "demo",
		Data: a.Text})
	if err != nil {
		return nil, err
	}
	return textOnly("Logged with level " + a.Level + "."), nil
}
