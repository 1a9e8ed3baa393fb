package conform

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// Offered is a list of the server's with something in it. A check for which there is nothing ends here; why a list could
// not be read is for another check to tell.
func (p *Pass) Offered(ctx context.Context, method string) (*mcp.List, error) {
	list, err := p.List(ctx, method)
	switch {
	case err != nil:
		return nil, err
	case list.Refused != nil:
		return nil, p.Skip("%s was refused with error %d", method, list.Refused.Code)
	case len(list.Items) == 0:
		return nil, p.Skip("%s lists nothing", method)
	}
	return list, nil
}

// answered wants a list to be answered with one, of items that can be told apart.
func (p *Pass) answered(ctx context.Context, method string) error {
	list, err := p.List(ctx, method)
	if err != nil {
		return err
	}
	if list.Refused != nil {
		p.Report(Seen{Exchange: last(list.Pages)}, "%s was refused with error %d: %s; want the list that the server declares", method, list.Refused.Code, said(list.Refused))
		return nil
	}
	for _, page := range list.Pages {
		if raw := At(page.Reply.Result, "/"+list.Key); schema.Kind(raw) != '[' {
			p.Report(Seen{Exchange: page, Pointer: "/" + list.Key}, "%s is %s; want an array", list.Key, show(raw))
		}
	}
	if len(list.Items) == 0 && method != "resources/templates/list" {
		return p.Missing("%s lists nothing, so that nothing of it was checked", method)
	}
	return nil
}

// repeated wants a list to be the same when another client reads it.
func (p *Pass) repeated(ctx context.Context, method string) error {
	first, err := p.Offered(ctx, method)
	if err != nil {
		return err
	}
	s, err := p.Other(ctx)
	if err != nil {
		return err
	}
	var second *mcp.List
	for range 3 { // a list that changed since it was read first is read again
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
	p.Report(Seen{Subject: method, Exchange: last(second.Pages)}, "two clients that read the list one after the other got %s", difference(namesOf(first), namesOf(second)))
	return nil
}

// Other returns a second session that checks share, for what another client would see and for settings that a session has
// for itself.
func (p *Pass) Other(ctx context.Context) (*mcp.Session, error) {
	s, err := remember(ctx, p, "other", func() (*mcp.Session, error) { return p.round.open(ctx, "other", nil) })
	if err == nil && s.Err() != nil {
		return p.Open(ctx, nil) // it was lost meanwhile
	}
	return s, err
}

// read reads a list anew in the shared session.
func (p *Pass) read(ctx context.Context, method string) (*mcp.List, error) {
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

// difference tells how two lists of names differ.
func difference(was, is []string) string {
	for _, name := range was {
		if !slices.Contains(is, name) {
			return "one with " + quoted(name) + " and one without; want the same list"
		}
	}
	for _, name := range is {
		if !slices.Contains(was, name) {
			return "one with " + quoted(name) + " and one without; want the same list"
		}
	}
	return "the same items in another order; want the same order"
}

// ended wants the pages of a list to come to an end.
func (p *Pass) ended(ctx context.Context, method string) error {
	list, err := p.Offered(ctx, method)
	if err != nil {
		return err
	}
	for i, page := range list.Pages {
		if i > 0 && len(entries(page, list.Key)) == 0 {
			p.Warn(Seen{Exchange: page, Pointer: "/" + list.Key}, "page %d of %s has no entries; want no nextCursor on the page before", i+1, method)
		}
	}
	for _, problem := range list.Problems {
		p.Report(Seen{Exchange: last(list.Pages), Pointer: "/nextCursor"}, "the list cannot be read to its end: %s; want cursors that lead to it", problem)
	}
	return nil
}

// cursorRefused wants a cursor that the server has not given out to be refused.
func (p *Pass) cursorRefused(ctx context.Context, method string) error {
	if list, err := p.List(ctx, method); err != nil || list.Refused != nil {
		return errOr(err, p.Skip("%s was refused", method))
	}
	ex, err := p.tryCall(ctx, method, mcp.Object("cursor", "mcptest-no-such-cursor"))
	if err != nil {
		return err
	}
	p.wantCode(ex, "a cursor that was never given out", mcp.CodeInvalidParams)
	return nil
}

// unique wants no two items of a list to have the same name.
func (p *Pass) unique(ctx context.Context, method, what string) error {
	list, err := p.Offered(ctx, method)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, item := range list.Items {
		if item.Name != "" && seen[item.Name] {
			p.Report(Seen{Subject: item.Name, Exchange: pageOf(list, item)}, "the %s %s is listed twice; want it once", what, quoted(item.Name))
		}
		seen[item.Name] = true
	}
	return nil
}

// oneScope wants all pages of a list to say the same of who may keep them.
func (p *Pass) oneScope(ctx context.Context, method string) error {
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
			p.Report(Seen{Exchange: page, Pointer: "/cacheScope"}, "cacheScope is %s on this page and %s on the first; want the same on all", show(raw), show(first))
		}
	}
	return nil
}

// tryCall is Call for a request that is to be refused. Where HTTP itself refuses it, without a message, there is no exchange
// and no error.
func (p *Pass) tryCall(ctx context.Context, method string, params any) (*mcp.Exchange, error) {
	ex, err := p.Call(ctx, method, params)
	if err == nil && ex.Status/100 == 4 && ex.Reply.Error != nil && ex.Reply.Error.Code == 0 {
		return nil, nil
	}
	return ex, err
}

// malformed is the code for a request that lacks its main part. Over HTTP in the modern era the header that repeats that part
// is missing, too, or says something else.
func (p *Pass) malformed() []int64 {
	if p.Modern() && placeOf(p.Target.Transport()) == OnHTTP {
		return []int64{mcp.CodeInvalidParams, -32020}
	}
	return []int64{mcp.CodeInvalidParams}
}

// wantCode wants a request to be refused with one of the codes. Another refusal is a warning, none is a departure.
func (p *Pass) wantCode(ex *mcp.Exchange, what string, codes ...int64) {
	if ex == nil {
		return // refused by HTTP
	}
	switch refusal := ex.Reply.Error; {
	case refusal == nil:
		p.Report(Seen{Exchange: ex}, "%s was answered with a result; want error %s", what, codeNames(codes))
	case !slices.Contains(codes, refusal.Code):
		p.Warn(Seen{Exchange: ex, Pointer: "/error/code"}, "%s was refused with error %d: %s; want error %s", what, refusal.Code, said(refusal), codeNames(codes))
	}
}

// pageOf is the page of a list that an item came with.
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

// member is the raw member of an object; nil if it has none.
func member(object json.RawMessage, name string) json.RawMessage {
	return At(object, "/"+schema.Token(name))
}
