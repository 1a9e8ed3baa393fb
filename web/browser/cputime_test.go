package browser

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
)

// work is how much processor time the page's main thread spends on something. Unlike the clock on the wall it does not
// depend on what else the machine does.
func (p *tab) work(do func()) time.Duration {
	p.t.Helper()
	p.countWork()
	before := p.taskTime()
	do()
	return p.taskTime() - before
}

// countWork begins to count. Each document is counted from its beginning.
func (p *tab) countWork() {
	p.t.Helper()
	p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, performance.Enable,
			performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks})
		return err
	}))
}

// taskTime is what was counted so far.
func (p *tab) taskTime() time.Duration {
	p.t.Helper()
	return take(p, func(ctx context.Context, t *chromedp.Target) (time.Duration, error) {
		all, err := cdp.Call(ctx, t, performance.GetMetrics, cdp.Empty{})
		if err != nil {
			return 0, err
		}
		for _, m := range all.Metrics {
			if m.Name == "TaskDuration" {
				return time.Duration(m.Value * float64(time.Second)), nil
			}
		}
		p.t.Fatal("the browser counts no TaskDuration")
		return 0, nil
	})
}
