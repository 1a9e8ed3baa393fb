package engines

import (
	"context"
	"fmt"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/document"
	"github.com/mcptest-dev/mcptest/internal/engine/load"
	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/ops/requests"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/safety"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// Limits of a load test.
const (
	maxLoadTools = 20 // chosen by default
	trialTimeout = 10 * time.Second
	maxMixed     = 1000
	maxMix       = 1 << 20 // bytes
	maxWeight    = 1000
)

// A mixedCall is an entry of a mix.
type mixedCall struct {
	document.Position `yaml:"-"`

	Tool   string         `yaml:"tool" required:"yes"`
	Args   *document.Node `yaml:"args,arguments"`
	Weight int            `yaml:"weight"`
}

// LoadRequests returns the calls of a load test, after one trial call each.
func LoadRequests(ctx context.Context, w *workbench.Workbench, s *mcp.Session, in *LoadInput) ([]*load.Request, error) {
	switch {
	case in.Mix != "":
		mix, err := readMix(w, in.Mix)
		if err != nil {
			return nil, err
		}
		return mixedRequests(ctx, w, s, mix, in.NoValidate)
	case in.Tool != "":
		r, err := namedRequest(ctx, w, s, &requests.CallInput{Tool: in.Tool, Arg: in.Arg, Args: in.Args,
			NoValidate: in.NoValidate}, 1, in.onlySafe)
		return []*load.Request{r}, err
	}
	return safeRequests(ctx, w, s)
}

// readMix reads the calls of a mix from a file.
func readMix(w *workbench.Workbench, path string) ([]mixedCall, error) {
	data, err := w.ReadFile(path)
	if err == nil && len(data) > maxMix {
		err = fmt.Errorf("%s: %d bytes, expected at most %d", path, len(data), maxMix)
	}
	if err != nil {
		return nil, &workbench.UsageError{Message: "--mix: " + err.Error(),
			Hint: "use a YAML list: - {tool: NAME, args: {…}, weight: 1}"}
	}
	node, problems := document.Parse(path, data)
	var mix []mixedCall
	if len(problems) == 0 {
		d := &document.Decoder{File: path}
		d.Decode(node, &mix)
		problems = d.Problems
	}
	if len(problems) > 0 {
		return nil, &workbench.UsageError{Message: problems.Error(),
			Hint: "use a YAML list: - {tool: NAME, args: {…}, weight: 1}"}
	}
	return mix, nil
}

func mixedRequests(ctx context.Context, w *workbench.Workbench, s *mcp.Session, mix []mixedCall,
	noValidate bool) ([]*load.Request, error) {
	if len(mix) == 0 || len(mix) > maxMixed {
		return nil, &workbench.UsageError{Message: fmt.Sprintf("mix: %d calls, expected 1 to %d", len(mix), maxMixed)}
	}
	var all []*load.Request
	for _, m := range mix {
		if m.Weight < 0 || m.Weight > maxWeight {
			return nil, &workbench.UsageError{Message: fmt.Sprintf("%s: weight %d, expected 1 to %d", m.Tool, m.Weight,
				maxWeight)}
		}
		call := &requests.CallInput{Tool: m.Tool, NoValidate: noValidate}
		if m.Args != nil {
			call.Args = string(m.Args.JSON())
		}
		r, err := namedRequest(ctx, w, s, call, m.Weight, false)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// namedRequest returns a call that the user requested. Its arguments are changed for a nonce only if the tool
// has readOnlyHint.
func namedRequest(ctx context.Context, w *workbench.Workbench, s *mcp.Session, in *requests.CallInput, weight int,
	onlySafe bool) (*load.Request, error) {
	in.Example = in.Args == "" && len(in.Arg) == 0
	given, err := in.Given(w)
	if err != nil {
		return nil, err
	}
	tool, err := requests.FindTool(ctx, w, s, in)
	if err != nil {
		return nil, err
	}
	if may := safety.Of(tool); may.Calls != safety.Unlimited && (onlySafe || !w.Grants.UnsafeTools) {
		if onlySafe && w.Grants.UnsafeTools {
			return nil, OnlyUser(in.Tool, may.Why)
		}
		return nil, &workbench.UsageError{Message: fmt.Sprintf("%s is not safe to call in bulk: %s", in.Tool, may.Why),
			Hint: hint.Text("the user can run it on the command line: mcptest load --tool " +
				workbench.QuoteWord(in.Tool))}
	}
	arguments, err := requests.Prepare(ctx, w, in, tool, given)
	if err != nil {
		return nil, err
	}
	r := &load.Request{Tool: in.Tool, Arguments: arguments, Weight: weight}
	input, _ := schema.Get(tool, "/inputSchema")
	failure, err := r.TrialCall(ctx, s, input, safety.Of(tool).Calls > 0, 0)
	switch {
	case err != nil:
		return nil, err
	case failure != nil && in.Example:
		return nil, &workbench.UsageError{Message: fmt.Sprintf("%s rejected the generated arguments %s: %s", in.Tool,
			clip.Runes(string(arguments), 200), failure.Message), Hint: "pass arguments with {--arg} or {--args}"}
	case failure != nil:
		w.Event(workbench.Event{Notice: fmt.Sprintf("%s returns an error for these arguments, so the errors are "+
			"what is "+
			"measured: %s", in.Tool, failure.Message)})
	}
	return r, nil
}

// safeRequests calls each safe tool with generated arguments. Tools that reject them or are slow are skipped,
// with a notice.
func safeRequests(ctx context.Context, w *workbench.Workbench, s *mcp.Session) ([]*load.Request, error) {
	list, err := s.List(ctx, "tools/list")
	if err != nil {
		return nil, err
	}
	var all []*load.Request
	for _, item := range list.Items {
		input, _ := schema.Get(item.Raw, "/inputSchema")
		arguments, err := schema.Sample(input, &schema.SampleOptions{Style: schema.Typical})
		if may := safety.Of(item.Raw); may.Calls != safety.Unlimited {
			w.Event(workbench.Event{Notice: fmt.Sprintf("%s was not called: %s (use --tool %s to call it)", item.Name,
				may.Why,
				workbench.QuoteWord(item.Name))})
			continue
		}
		if err != nil || len(all) == maxLoadTools {
			continue
		}
		r := &load.Request{Tool: item.Name, Arguments: arguments}
		failure, err := r.TrialCall(ctx, s, input, true, trialTimeout)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil && s.Err() != nil {
			return nil, fmt.Errorf("%s crashed the server in the trial call (use --tool to choose another): %w",
				item.Name, err)
		}
		if failure != nil || err != nil {
			w.Event(workbench.Event{Notice: fmt.Sprintf("skipping %s: %s", item.Name, whyLeftOut(failure, err))})
			continue
		}
		all = append(all, r)
	}
	if len(all) == 0 {
		return nil, &workbench.UsageError{Message: "the server has no safe tool that accepts generated arguments",
			Hint: "use {--tool} to choose one, and {--args} to pass its arguments"}
	}
	return all, nil
}

// whyLeftOut returns one line, regardless of the length of the server's message.
func whyLeftOut(failure *load.Failure, err error) string {
	if failure != nil {
		return oneLineOf(failure.Message)
	}
	return oneLineOf(err.Error())
}

// OnlyUser returns the error of a block that names a tool that is not safe: only the user can permit bulk calls.
func OnlyUser(tool, why string) error {
	return &workbench.UsageError{Message: fmt.Sprintf("%s is not safe to call in bulk: %s; only the user can permit "+
		"it, with --allow-calls", tool, why)}
}
