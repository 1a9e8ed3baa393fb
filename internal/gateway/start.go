package gateway

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"os"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/gateway/access"
	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/frontend"
	"github.com/mcptest-dev/mcptest/internal/gateway/invoke"
	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/netguard"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// start connects to the servers. The returned function stops them.
func (r *gatewayRun) start(ctx context.Context, servers []gatewayServer, log *slog.Logger) (func(), error) {
	audit, closeAudit, err := r.audit(log)
	if err != nil {
		return nil, err
	}
	observe := func(record invoke.Record) {
		audit(record)
		r.figures.observe(record)
	}
	begin := r.startGateway
	if r.in.Transparent {
		begin = r.startTransparent
	}
	closing, err := begin(ctx, servers, log, observe)
	if err != nil {
		closeAudit()
		return nil, err
	}
	return func() {
		closing()
		if r.spans != nil {
			if err := r.spans.Close(); err != nil {
				log.Warn("the last traces were lost", "error", err.Error())
			}
		}
		closeAudit()
	}, nil
}

func (r *gatewayRun) startTransparent(_ context.Context, servers []gatewayServer, log *slog.Logger,
	observe func(invoke.Record)) (func(), error) {
	if len(servers) != 1 {
		return nil, &workbench.UsageError{Message: fmt.Sprintf("--transparent requires exactly one server; %s has %d",
			r.in.Config, len(servers))}
	}
	if r.settings.Redact {
		return nil, &workbench.UsageError{Message: "--transparent does not change messages; redact_results in " +
			r.in.Config +
			" has no effect",
			Hint: "remove redact_results, or {--transparent}"}
	}
	if len(r.settings.Tools) > 0 {
		return nil, &workbench.UsageError{Message: "--transparent does not validate calls; tools in " + r.in.Config +
			" has no effect", Hint: "remove tools, or {--transparent}"}
	}
	if r.settings.Lock != nil {
		return nil, &workbench.UsageError{Message: "--transparent does not change lists and does not reject calls; " +
			"lock in " +
			r.in.Config + " has no effect", Hint: "remove lock, or {--transparent}"}
	}
	if i := servers[0].settings.Isolation; i != "" && i != string(upstream.Shared) {
		return nil, &workbench.UsageError{Message: fmt.Sprintf("--transparent uses one process for all clients; "+
			"isolation %q in %s has no effect", i, r.in.Config), Hint: "remove isolation, or {--transparent}"}
	}
	if servers[0].settings.OAuth != nil {
		return nil, &workbench.UsageError{Message: "--transparent uses the server as it is; oauth in " + r.in.Config +
			" has no effect", Hint: "remove oauth, or {--transparent}"}
	}
	if r.settings.Embeddings != nil {
		return nil, &workbench.UsageError{Message: "--transparent has no catalog to search; embeddings in " + r.in.Config +
			" has no effect", Hint: "remove embeddings, or {--transparent}"}
	}
	for _, c := range r.settings.Callers {
		if len(c.Allow)+len(c.Deny) > 0 {
			return nil, &workbench.UsageError{Message: fmt.Sprintf("--transparent does not filter by caller; %s sets "+
				"allow or "+
				"deny for %q", r.in.Config, c.Name),
				Hint: "remove them, or remove {--transparent}"}
		}
	}
	if r.settings.JWT != nil && len(r.settings.JWT.Roles) > 0 {
		return nil, &workbench.UsageError{Message: "--transparent does not filter by caller; roles of jwt in " +
			r.in.Config + " have no effect", Hint: "remove them, or remove {--transparent}"}
	}
	t := frontend.NewTransparent(func(o *upstream.Options) *upstream.Server {
		kept := r.upstream(servers[0])
		o.Log, o.Client, o.Around, o.Frames = log, kept.Client, kept.Around, kept.Frames
		if o.Protocol = kept.Protocol; o.Protocol != "" {
			o.BothEras = false
		}
		return upstream.Start(servers[0].name, servers[0].target, o)
	})
	r.back = meteredBackend{t, observe, log}
	return t.Close, nil
}

func (r *gatewayRun) startGateway(ctx context.Context, servers []gatewayServer, log *slog.Logger,
	observe func(invoke.Record)) (func(), error) {
	tools, err := r.catalog(ctx, servers, log)
	if err != nil {
		return nil, err
	}
	page := ""
	if r.public != "" {
		page = r.public + connectPath
	}
	if r.accounts, err = openAccounts(r.in.Config, r.settings, servers, tools.Store(), page, log); err != nil {
		_ = tools.Close()
		return nil, err
	}
	r.door.policy.OnJWT = r.accounts.Saw
	client := netguard.Client(nil)
	if r.spans != nil {
		client.Transport = r.spans.Transport(client.Transport)
	}
	invoker := &invoke.Invoker{Timeout: r.settings.Timeout.Duration, Hosts: r.settings.HTTPHosts, Client: client,
		Rules: r.settings.rules(), Log: log, Audit: observe,
		Redact: r.w.Secrets.Text, RedactResults: r.settings.Redact}
	r.counter = &catalogHandler{tools: tools, invoker: invoker, caller: r.door.caller}
	g := frontend.New(frontend.Options{Catalog: tools, Invoker: invoker, Callers: r.door.caller, Expose: r.in.Expose,
		Budget: r.settings.Budget, Prefix: r.settings.NamePrefix,
		Info: mcp.Implementation{Name: "mcptest-gateway", Version: r.w.Version, Title: "mcptest gateway"}, Log: log,
		Lock: r.settings.Lock.approved(), Replica: r.replicaID()})
	r.back, r.counter.guard, r.counter.listings = g, g.Quarantine(), g.Listings
	following := &reloader{run: r, gateway: g, tools: tools, invoker: invoker, log: log, lock: r.settings.Lock}
	unfollow := following.start(servers)
	r.page = &connectPage{run: r, servers: following.servers, retry: g.Retry, changed: g.AccountsChanged, audit: observe, log: log}
	followed, unwatch := context.WithCancel(context.Background())
	var watching sync.WaitGroup
	watching.Go(func() { r.followAccounts(followed, tools.Store(), following.servers, g.Retry) })
	g.Rebuild() // the first client must not see cached data as current
	remember := startPruning(tools, log)
	forget := r.settings.Embeddings.start(tools, log)
	return func() {
		forget()
		remember()
		unwatch()
		watching.Wait()
		unfollow()
		g.Close()
		_ = tools.Close()
	}, nil
}

// upstream returns the settings for a server.
func (r *gatewayRun) upstream(s gatewayServer) upstream.Options {
	o := upstream.Options{Client: mcp.Implementation{Name: "mcptest-gateway", Version: r.w.Version},
		Frames: r.frames(s.name), Protocol: s.settings.revision(),
		Isolation: cmp.Or(upstream.Isolation(s.settings.Isolation), upstream.Auto),
		Processes: s.settings.Processes, Idle: s.settings.Idle.Duration}
	if r.spans != nil {
		o.Around = r.spans.Middleware
	}
	r.authorize(s, &o)
	return o
}

// catalog opens the store, for the tools of the servers and for registered ones.
func (r *gatewayRun) catalog(ctx context.Context, servers []gatewayServer, log *slog.Logger) (*catalog.Catalog, error) {
	address, advice := r.in.Store, hint.Text("")
	if address == "" {
		var err error
		if address, err = DefaultStore(r.w.System, r.in.Config); err != nil {
			return nil, err
		}
		advice = "use {--store} to choose where to store the catalog; {--store} memory keeps it only while the " +
			"gateway is running"
	}
	tools, err := openCatalog(ctx, r.w, address, &catalog.Options{
		Servers: append([]string{}, names(servers)...),
		OnFollow: func(err error) {
			if err != nil {
				log.Error("catalog store unavailable; serving the last known tools", "error", err.Error())
			} else {
				log.Info("the catalog store is available again")
			}
		},
	})
	if err != nil && advice != "" {
		return nil, &workbench.UsageError{Message: err.Error(), Hint: advice}
	}
	return tools, err
}

// audit opens the audit log.
func (r *gatewayRun) audit(log *slog.Logger) (write func(invoke.Record), closeLog func(), err error) {
	if r.in.Audit == "" {
		return func(invoke.Record) {}, func() {}, nil
	}
	file, err := os.OpenFile(r.in.Audit, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, nil, &workbench.UsageError{Message: "--audit: " + err.Error()}
	}
	lines := access.NewAudit(file)
	lines.OnFailure = func(err error) {
		log.Error("audit log write failed; auditing is disabled", "file", r.in.Audit, "error", err.Error())
	}
	return func(c invoke.Record) {
		lines.Write(access.Entry{Time: c.Time, Action: c.Action, Caller: c.Caller, Server: c.Server, Tool: c.Tool,
			Version: c.Version, Outcome: c.Outcome, Elapsed: c.Elapsed, Trace: c.Trace}, c.Arguments)
	}, func() { _ = file.Close() }, nil
}
