package conform

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// Offered returns a non-empty list of the server. A check with nothing to examine ends here; another check reports why
// a list could not be read.
func (p *CheckContext) Offered(ctx context.Context, method string) (*mcp.List, error) {
	list, err := p.List(ctx, method)
	switch {
	case err != nil:
		return nil, err
	case list.Refused != nil:
		return nil, p.Skip("%s failed with error %d", method, list.Refused.Code)
	case len(list.Items) == 0:
		return nil, p.Skip("%s returned no items", method)
	}
	return list, nil
}

// expectResponse expects a list request to return an array of distinguishable items.
func (p *CheckContext) expectResponse(ctx context.Context, method string) error {
	list, err := p.List(ctx, method)
	if err != nil {
		return err
	}
	if list.Refused != nil {
		expected := "the declared list"
		if method == "resources/templates/list" { // no capability declares it
			expected = "a list, empty without templates"
		}
		p.Report(Evidence{Exchange: last(list.Pages)}, "%s failed with error %d: %s, expected %s", method,
			list.Refused.Code, errorLine(list.Refused), expected)
		return nil
	}
	for _, page := range list.Pages {
		if raw := At(page.Reply.Result, "/"+list.Key); schema.Kind(raw) != '[' {
			p.Report(Evidence{Exchange: page, Pointer: "/" + list.Key}, "%s is %s, expected an array", list.Key,
				show(raw))
		}
	}
	if len(list.Items) == 0 && method != "resources/templates/list" {
		return p.Missing("%s returned no items, so none were checked", method)
	}
	return nil
}

// repeated expects a list to be the same for another client.
func (p *CheckContext) repeated(ctx context.Context, method string) error {
	first, err := p.Offered(ctx, method)
	if err != nil {
		return err
	}
	s, err := p.Other(ctx)
	if err != nil {
		return err
	}
	var second *mcp.List
	for range 3 { // a list that changed since the first reading is read again
		if second, err = s.List(ctx, method); err != nil {
			return err
		}
		was, is := namesOf(first), namesOf(second)
		if slices.Equal(was, is) {
			return nil
		}
		if first, err = p.read(ctx, method); err != nil {
			return err
		}
	}
	p.Report(Evidence{Subject: method, Exchange: last(second.Pages)},
		"two clients that read the list one after the other got %s", difference(namesOf(first), namesOf(second)))
	return nil
}

// Other returns a second session that checks share, for what another client would see and for settings that apply per
// session.
func (p *CheckContext) Other(ctx context.Context) (*mcp.Session, error) {
	s, err := remember(ctx, p, "other", func() (*mcp.Session, error) { return p.round.open(ctx, "other", nil) })
	if err == nil && s.Err() != nil {
		return p.Open(ctx, nil) // it was lost in the meantime
	}
	return s, err
}

// read reads a list again in the shared session.
func (p *CheckContext) read(ctx context.Context, method string) (*mcp.List, error) {
	s, err := p.Session(ctx)
	if err != nil {
		return nil, err
	}
	return s.List(ctx, method)
}

func namesOf(l *mcp.List) []string {
	var names []string
	for _, item := range l.Items {
		names = append(names, item.Name)
	}
	return names
}

// difference describes how two lists of names differ.
func difference(was, is []string) string {
	for _, name := range was {
		if !slices.Contains(is, name) {
			return "one with " + quoted(name) + " and one without, expected the same list"
		}
	}
	for _, name := range is {
		if !slices.Contains(was, name) {
			return "one with " + quoted(name) + " and one without, expected the same list"
		}
	}
	return "the same items in a different order, expected the same order"
}

// ended expects the pages of a list to end.
func (p *CheckContext) ended(ctx context.Context, method string) error {
	list, err := p.Offered(ctx, method)
	if err != nil {
		return err
	}
	// an empty page before others is allowed: entries were filtered out of it
	if end := last(list.Pages); len(list.Pages) > 1 && len(list.Problems) == 0 && len(entries(end, list.Key)) == 0 {
		p.Warn(Evidence{Exchange: end, Pointer: "/" + list.Key},
			"page %d of %s, the last, is empty, expected no nextCursor on the previous page", len(list.Pages), method)
	}
	for _, problem := range list.Problems {
		p.Report(Evidence{Exchange: last(list.Pages), Pointer: "/nextCursor"},
			"list cannot be read to its end: %s, expected cursors that lead there", problem)
	}
	return nil
}

// cursorRefused expects a cursor that the server did not issue to be rejected.
func (p *CheckContext) cursorRefused(ctx context.Context, method string) error {
	if list, err := p.List(ctx, method); err != nil || list.Refused != nil {
		return errOr(err, p.Skip("%s failed with an error", method))
	}
	ex, err := p.tryCall(ctx, method, mcp.Object("cursor", "mcptest-no-such-cursor"))
	if err != nil {
		return err
	}
	p.expectCode(ex, "unknown cursor", mcp.CodeInvalidParams)
	return nil
}

// unique expects no two items of a list to have the same name.
func (p *CheckContext) unique(ctx context.Context, method, what string) error {
	list, err := p.Offered(ctx, method)
	if err != nil {
		return err
	}
	seen := map[string]int{}
	for i, item := range list.Items {
		first, known := seen[item.Name]
		before, page := pageNumber(list, first), pageNumber(list, i)
		switch where := (Evidence{Subject: item.Name, Exchange: pageOf(list, item)}); {
		case item.Name == "":
		case !known:
			seen[item.Name] = i
		case before != page && equalJSON(list.Items[first].Raw, item.Raw):
			p.Report(where, "page %d of %s repeats %s %s of page %d, expected each %s once", page, method, what, quoted(item.Name),
				before, what)
		default:
			p.Report(where, "duplicate %s: %s", what, quoted(item.Name))
		}
	}
	return nil
}

// pageNumber returns the number of the page that an item of a list is on, from 1.
func pageNumber(l *mcp.List, index int) int {
	number, _ := slices.BinarySearchFunc(l.Ends, index, func(end, i int) int { return cmp.Compare(end, i+1) })
	return number + 1
}

// oneScope expects all pages of a list to have the same cacheScope.
func (p *CheckContext) oneScope(ctx context.Context, method string) error {
	list, err := p.Offered(ctx, method)
	if err != nil {
		return err
	}
	if len(list.Pages) < 2 {
		return p.Skip("%s has a single page", method)
	}
	first := At(list.Pages[0].Reply.Result, "/cacheScope")
	for _, page := range list.Pages[1:] {
		if raw := At(page.Reply.Result, "/cacheScope"); string(raw) != string(first) {
			p.Report(Evidence{Exchange: page, Pointer: "/cacheScope"},
				"cacheScope is %s on this page and %s on the first, expected the same on all pages", show(raw),
				show(first))
		}
	}
	return nil
}

// tryCall is Call for a request that must be rejected. If it is rejected at the HTTP level, without a message, there is
// neither an exchange nor an error.
func (p *CheckContext) tryCall(ctx context.Context, method string, params any) (*mcp.Exchange, error) {
	ex, err := p.Call(ctx, method, params)
	if err == nil && ex.Status/100 == 4 && ex.Reply.Error != nil && ex.Reply.Error.Code == 0 {
		return nil, nil
	}
	return ex, err
}

// malformed returns the codes for a request that lacks its main part. Over HTTP in revisions from 2026-07-28 on, the
// header that repeats that part is also missing or different.
func (p *CheckContext) malformed() []int64 {
	if p.Modern() && transportOf(p.Target.Transport()) == OnHTTP {
		return []int64{mcp.CodeInvalidParams, -32020}
	}
	return []int64{mcp.CodeInvalidParams}
}

// expectCode expects a request to fail with one of the codes. Another error is a warning, a result is a violation.
func (p *CheckContext) expectCode(ex *mcp.Exchange, what string, codes ...int64) {
	if ex == nil {
		return // rejected by HTTP
	}
	switch refusal := ex.Reply.Error; {
	case refusal == nil:
		p.Report(Evidence{Exchange: ex}, "%s: expected error %s, got a result", what, codeNames(codes))
	case !slices.Contains(codes, refusal.Code):
		p.Warn(Evidence{Exchange: ex, Pointer: "/error/code"}, "%s: got error %d: %s, expected error %s", what,
			refusal.Code, errorLine(refusal), codeNames(codes))
	}
}

// pageOf returns the page of a list that contains an item.
func pageOf(l *mcp.List, item mcp.Item) *mcp.Exchange {
	for _, page := range l.Pages {
		if page.Reply.Frame.Seq == item.Frame {
			return page
		}
	}
	return last(l.Pages)
}

func last(pages []*mcp.Exchange) *mcp.Exchange { return pages[len(pages)-1] }

func errOr(err, other error) error {
	if err != nil {
		return err
	}
	return other
}

// member returns the raw member of an object; nil if absent.
func member(object json.RawMessage, name string) json.RawMessage {
	return At(object, "/"+schema.Token(name))
}
