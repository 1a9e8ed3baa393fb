package conform

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/safety"
)

// Limits of the search for arguments with which a tool has something to return.
const (
	maxRepaired  = 8   // tools
	maxAttempts  = 6   // calls of each, and again as many if all of them failed
	maxValues    = 16  // values of an argument
	maxFurther   = 3   // further calls of each, to find something else that it returns
	maxLimited   = 2   // attempts for a tool with a limit of calls
	maxPerSource = 3   // values of each source
	maxValueSize = 100 // bytes of a value

	maxOfferedSize = 1000 // bytes of an error that is searched for values
)

// repair repeats calls of read-only tools that failed or returned nothing, with values that the server itself mentions:
// the ID in a sample is unknown to it, and then no check sees a result. Tools without required arguments come first, because they
// list what others know. Those that still fail are tried once more if another one has returned something since. It returns the progress
// tokens that it used, and the calls that failed at first and got no response after a later one.
func (p *CheckContext) repair(ctx context.Context, s *mcp.Session, done []CallResult) (tokens []string, stuck []CallResult) {
	var order, later []int
	for i, c := range done {
		switch {
		case !p.isRepairable(c):
		case requiresArgument(c.Tool):
			later = append(later, i)
		default:
			order = append(order, i)
		}
	}
	order = append(order, later...)
	r := &repairer{check: p, session: s, done: done, tried: map[int][]json.RawMessage{}}
	failed := r.repairAll(ctx, order[:min(len(order), maxRepaired)])
	if r.learned {
		r.repairAll(ctx, failed)
	}
	return r.tokens, r.stuck
}

// A repairer repeats calls until they return something.
type repairer struct {
	check   *CheckContext
	session *mcp.Session
	done    []CallResult
	tried   map[int][]json.RawMessage // arguments, by the index of the call
	learned bool                      // a call has returned something
	tokens  []string
	stuck   []CallResult
}

// repairAll repeats calls, and returns those that still return nothing.
func (r *repairer) repairAll(ctx context.Context, order []int) (failed []int) {
	for _, i := range order {
		if !r.repair(ctx, i) {
			failed = append(failed, i)
		}
	}
	return failed
}

// repair repeats a call, and reports whether that has settled it: it returned something, or got no response.
func (r *repairer) repair(ctx context.Context, i int) bool {
	p, c := r.check, r.done[i]
	candidates := slices.DeleteFunc(p.otherArguments(ctx, r.session, c, r.done), func(a json.RawMessage) bool {
		return slices.ContainsFunc(r.tried[i], func(b json.RawMessage) bool { return equalJSON(a, b) })
	})
	if p.round.limited(c.Name) {
		candidates = candidates[:min(len(candidates), max(maxLimited-len(r.tried[i]), 0))]
	}
	candidates = candidates[:min(len(candidates), maxAttempts)]
	r.tried[i] = append(r.tried[i], candidates...)
	next, used, spent := p.firstThat(ctx, r.session, c.Tool, candidates, returnsSomething)
	r.tokens = append(r.tokens, spent...)
	if next.silent() {
		r.repeatSilent(ctx, i)
		return true
	}
	if next.Exchange == nil {
		return false
	}
	r.learned = true
	r.tokens = append(r.tokens, tokensOf(r.done[i:i+1])...)
	if p.round.limited(c.Name) {
		r.done[i] = next
		return true // the calls that are left are for other checks
	}
	candidates = candidates[used:]
	other, _, spent := p.firstThat(ctx, r.session, c.Tool, candidates[:min(len(candidates), maxFurther)], func(o CallResult) bool {
		return returnsSomething(o) && !sameResult(o.Result(), next.Result())
	})
	r.tokens = append(r.tokens, spent...)
	if !other.silent() {
		next.Other = other.Arguments
	}
	r.done[i] = next
	return true
}

// repeatSilent makes the first call again after another one got no response. Without a response, the failed call before is why.
func (r *repairer) repeatSilent(ctx context.Context, i int) {
	c := r.done[i]
	again := r.check.repeatOnce(ctx, r.session, c.Tool)
	if again == nil {
		return
	}
	r.tokens = append(r.tokens, tokensOf([]CallResult{{c.Tool, again}})...)
	if again.Reply == nil {
		r.stuck = append(r.stuck, c)
		r.tokens = append(r.tokens, tokensOf([]CallResult{c})...)
		r.done[i].Exchange = nil // no other check has to wait for it
	}
}

// repeatOnce makes a call again, unless the tool may not be called more often.
func (p *CheckContext) repeatOnce(ctx context.Context, s *mcp.Session, t Tool) *mcp.Exchange {
	if !p.round.takeCall(t.Name) {
		return nil
	}
	ex, _ := callWithProgress(ctx, s, t, p.Timeout())
	return ex
}

// silent reports whether a call got no response.
func (c CallResult) silent() bool { return c.Exchange != nil && c.Exchange.Reply == nil }

// firstThat calls a tool with arguments, one after the other, until a call is accepted or gets no response; none is returned if no
// call is, or the server is lost. It also returns how many calls it made, and the progress tokens that it used.
func (p *CheckContext) firstThat(ctx context.Context, s *mcp.Session, t Tool, candidates []json.RawMessage,
	accept func(CallResult) bool) (found CallResult, used int, tokens []string) {
	for n, arguments := range candidates {
		if !p.round.takeCall(t.Name) {
			break
		}
		t.Arguments = arguments
		ex, _ := callWithProgress(ctx, s, t, p.Timeout())
		if ex == nil {
			break
		}
		tokens = append(tokens, tokensOf([]CallResult{{t, ex}})...)
		if ex.Reply == nil {
			return CallResult{t, ex}, n + 1, tokens
		}
		if c := (CallResult{t, ex}); accept(c) {
			return c, n + 1, tokens
		}
	}
	return CallResult{}, len(candidates), tokens
}

// isRepairable reports whether a call of a read-only tool returned nothing, and may be repeated.
func (p *CheckContext) isRepairable(c CallResult) bool {
	return c.Exchange != nil && c.Exchange.Reply != nil && !causedRequest(c) &&
		safety.Reads(c.Definition) && c.Exchange.Elapsed < p.Timeout()/10 &&
		!returnsSomething(c) && len(textArguments(c.Tool))+len(numberedArguments(c.Tool)) > 0
}

// returnsSomething reports whether a call succeeded and its result is not empty.
func returnsSomething(c CallResult) bool {
	if c.Result() == nil {
		return c.Exchange.Reply.Error == nil // an unfinished result is not empty
	}
	if content := At(c.Result(), "/structuredContent"); content != nil && !c.Failed() {
		return !hasOnlyEmptyLists(content)
	}
	text := strings.TrimSpace(textsOf(c.Result()))
	return !c.Failed() && (text != "" && text != "[]" && text != "{}" || len(blocksOf(c.Result())) > 1)
}

// hasOnlyEmptyLists reports whether an object has lists, and all of them are empty.
func hasOnlyEmptyLists(value json.RawMessage) bool {
	members, _ := schema.Members(value)
	empty := false
	for _, m := range members {
		items, err := schema.Elements(m.Value)
		if len(items) > 0 {
			return false
		}
		empty = empty || err == nil
	}
	return empty
}

// textArguments lists the arguments of a tool that are texts without a fixed set of values.
func textArguments(t Tool) []string {
	var names []string
	members, _ := schema.Members(t.Arguments)
	for _, m := range members {
		property := declaredArgument(t.Definition, m.Name)
		if schema.Kind(m.Value) == '"' && At(property, "/enum") == nil && At(property, "/const") == nil {
			names = append(names, m.Name)
		}
	}
	return names
}

// numberNames matches the names of numbers by which an item is looked up.
var numberNames = lazyregexp.New(`^(?:\w+_)?(?:id|number|no|nr|num|key|ref|index)$`)

// numberedArguments lists the required arguments of a tool that are the number of an item.
func numberedArguments(t Tool) []string {
	var names []string
	for _, name := range stringsIn(At(t.Definition, "/inputSchema/required")) {
		if schema.Kind(member(t.Arguments, name)) == '0' && numberNames().MatchString(schema.Snake(name)) {
			names = append(names, name)
		}
	}
	return names
}

// otherArguments returns arguments of a tool with a text to read, and with values that the server mentions, those of the most
// specific source first, and without optional texts, which narrow a search.
func (p *CheckContext) otherArguments(ctx context.Context, s *mcp.Session, c CallResult,
	done []CallResult) []json.RawMessage {
	compiled, err := schema.Compile(At(c.Definition, "/inputSchema"), nil)
	if err != nil {
		return nil
	}
	base, names := withoutOptionalTexts(c.Tool)
	values := map[string][]string{}
	offered := c.offered()
	for _, name := range names {
		if text := schema.DocumentFor(name, describedArgument(c.Tool, name)); text != "" {
			values[name] = append(values[name], text)
		}
		if !c.Failed() && c.Result() != nil {
			values[name] = append(values[name], "a") // finds something in a search
		}
		values[name] = append(values[name], offered...)
		values[name] = append(values[name], p.mentioned(ctx, s, c.Tool, name, done)...)
	}
	numbers := numberedArguments(c.Tool)
	for _, name := range numbers {
		values[name] = slices.Concat(offered, namedValues(name, done), listedFor(name, schema.NounOf(c.Name), describedArgument(c.Tool, name), done))
	}
	var all []json.RawMessage
	if short := withoutOptionals(c.Tool).Arguments; !requiresArgument(c.Tool) && !c.Failed() && !equalJSON(short, c.Arguments) {
		all = append(all, short) // a filter that matches nothing
	}
	for n := range maxValues {
		arguments := base
		for name, some := range values {
			if len(some) > 0 {
				raw, _ := json.Marshal(some[min(n, len(some)-1)]) // marshaling a string never fails
				if slices.Contains(numbers, name) {
					if raw = []byte(schema.Plain(raw)); !json.Valid(raw) {
						continue
					}
				}
				arguments = withArgument(c.Tool, arguments, name, string(raw))
			}
		}
		same := func(a json.RawMessage) bool { return equalJSON(a, arguments) }
		if len(compiled.Validate(arguments)) == 0 && !same(c.Arguments) && !slices.ContainsFunc(all, same) {
			all = append(all, arguments)
		}
	}
	return all
}

// offered returns the values that the message of a failed call offers, such as "known runs: 4101, 4102".
func (c CallResult) offered() []string {
	if !c.Failed() || len(textsOf(c.Result())) > maxOfferedSize {
		return nil
	}
	var all []string
	for _, value := range schema.Offered(textsOf(c.Result())) {
		if !strings.Contains(string(c.Arguments), value) && len(value) <= maxValueSize {
			all = append(all, value)
		}
	}
	return all
}

// withoutOptionalTexts returns the arguments of a tool without the texts that are not required, and the names of those
// that are; if none is required, all of them.
func withoutOptionalTexts(t Tool) (arguments json.RawMessage, names []string) {
	required := stringsIn(At(t.Definition, "/inputSchema/required"))
	var edits []finding.Edit
	for _, name := range textArguments(t) {
		if slices.Contains(required, name) {
			names = append(names, name)
		} else {
			edits = append(edits, finding.Edit{Pointer: "/" + schema.Token(name)})
		}
	}
	changed, err := schema.Apply(t.Arguments, edits)
	if len(names) == 0 || err != nil {
		return t.Arguments, textArguments(t)
	}
	return changed, names
}

// mentioned returns values for an argument: examples in descriptions, completions, values of other results, resources.
func (p *CheckContext) mentioned(ctx context.Context, s *mcp.Session, t Tool, name string, done []CallResult) []string {
	var all []string
	add := func(some []string) {
		taken := 0
		for _, value := range some {
			if value != "" && len(value) <= maxValueSize && taken < maxPerSource && !slices.Contains(all, value) {
				all, taken = append(all, value), taken+1
			}
		}
	}
	add(schema.Mentioned(describedArgument(t, name)))
	add(schema.Mentioned(schema.TextAt(t.Definition, "/description")))
	add(p.completionsOf(ctx, s, name))
	add(namedValues(name, done))
	add(listedFor(name, schema.NounOf(t.Name), describedArgument(t, name), done))
	add(listedLike(schema.TextAt(declaredArgument(t.Definition, name), "/pattern"), done))
	add([]string{schema.DefaultOfOther(At(t.Definition, "/inputSchema"), name)})
	if schema.MayBeFolder(name) {
		add([]string{"."})
	}
	add(p.resourceValues(ctx, name))
	add(firstWords(done))
	return all
}

// describedArgument returns the description of an argument of a tool.
func describedArgument(t Tool, name string) string {
	return schema.TextAt(declaredArgument(t.Definition, name), "/description")
}

// completionsOf returns what the server suggests for arguments of prompts and templates with the same name.
func (p *CheckContext) completionsOf(ctx context.Context, s *mcp.Session, name string) []string {
	if !p.round.declares("completions") {
		return nil
	}
	for _, asked := range p.completions(ctx) {
		argument := At(asked, "/argument")
		if schema.TextAt(argument, "/value") != "" || !strings.EqualFold(schema.TextAt(argument, "/name"), name) {
			continue
		}
		ex, err := p.CallIn(ctx, s, "completion/complete", asked)
		if err != nil || ex.Reply.Error != nil {
			return nil
		}
		return stringsIn(At(ex.Reply.Result, "/completion/values"))
	}
	return nil
}

// stringsIn returns the strings of a list.
func stringsIn(list json.RawMessage) []string {
	var all []string
	items, _ := schema.Elements(list)
	for _, raw := range items {
		if text, ok := schema.Text(raw); ok {
			all = append(all, text)
		}
	}
	return all
}
