package gateway

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/frontend"
	"github.com/mcptest-dev/mcptest/internal/gateway/invoke"
	"github.com/mcptest-dev/mcptest/internal/gateway/store"
)

// reloadEvery is how often the config file is checked for changes.
const reloadEvery = 500 * time.Millisecond

// A reloader applies changes of the config file to a gateway. An invalid file changes nothing.
type reloader struct {
	run     *gatewayRun
	gateway *frontend.Gateway
	tools   *catalog.Catalog
	invoker *invoke.Invoker
	log     *slog.Logger
	lock    *gatewayLock

	mu      sync.Mutex // guards running for readers; only apply changes it
	running map[string]gatewayServer
}

// start adds the servers and watches the file from then on. The returned function stops that.
func (r *reloader) start(servers []gatewayServer) (stop func()) {
	r.running = map[string]gatewayServer{}
	r.apply(servers)
	over := make(chan struct{})
	var done sync.WaitGroup
	done.Go(func() { r.follow(over) })
	return func() { close(over); done.Wait() }
}

func (r *reloader) follow(over <-chan struct{}) {
	last, locked := r.run.stamp, r.lock.stamp()
	for {
		select {
		case <-time.After(reloadEvery):
		case <-over:
			return
		}
		now, lock := stamp(r.run.in.Config), r.lock.stamp()
		if now != last || lock != locked {
			last = now
			r.reload()
			locked = r.lock.stamp()
		}
	}
}

// reload applies the current file.
func (r *reloader) reload() {
	file := r.run.in.Config
	servers, settings, err := gatewayConfig(r.run.w, file)
	if err == nil {
		err = needKeys(file, r.run.settings, servers, r.memory())
	}
	if err == nil && r.run.settings.Lists() {
		err = r.run.door.policy.Replace(settings.Config)
	}
	if err != nil {
		r.log.Error("invalid config; keeping the previous one", "file", file, "error", err.Error())
		return
	}
	if !reflect.DeepEqual(r.lock, settings.Lock) { // before any server is started
		r.gateway.SetLock(settings.Lock.approved())
		r.lock = settings.Lock
	}
	r.apply(servers)
	r.invoker.SetLimits(invoke.Limits{Timeout: settings.Timeout.Duration, Hosts: settings.HTTPHosts,
		Rules:         settings.rules(),
		RedactResults: settings.Redact})
	r.log.Info("config reloaded", "file", file, "servers", len(servers))
	if later := r.run.settings.later(settings); len(later) > 0 {
		r.log.Warn("some config changes require a restart of the gateway", "file", file, "settings",
			strings.Join(later, ", "))
	}
}

// memory reports whether the store is lost when the process exits.
func (r *reloader) memory() bool {
	_, memory := r.tools.Store().(*store.Memory)
	return memory
}

// apply starts new servers, replaces changed ones and stops removed ones.
func (r *reloader) apply(wanted []gatewayServer) {
	r.tools.SetServers(append(slices.Collect(maps.Keys(r.running)), names(wanted)...))
	defer func() { r.tools.SetServers(names(wanted)) }()
	keep := map[string]bool{}
	for _, s := range wanted {
		keep[s.name] = true
		if old, ok := r.running[s.name]; !ok || !old.same(s) {
			r.replace(s)
		}
	}
	for name := range r.running {
		if keep[name] {
			continue
		}
		r.mu.Lock()
		delete(r.running, name)
		r.mu.Unlock()
		if err := r.gateway.Remove(context.Background(), name); err != nil {
			r.log.Error("cannot remove a server", "server", name, "error", err.Error())
		}
	}
}

// replace starts a server, in place of the one of that name if it exists. Its tools stay listed meanwhile.
func (r *reloader) replace(s gatewayServer) {
	r.gateway.Replace(s.name, s.target, r.run.upstream(s))
	r.mu.Lock()
	defer r.mu.Unlock()
	r.running[s.name] = s
}

// servers lists the current servers, by name.
func (r *reloader) servers() []gatewayServer {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []gatewayServer
	for _, name := range slices.Sorted(maps.Keys(r.running)) {
		all = append(all, r.running[name])
	}
	return all
}

// stamp changes when the file does.
func stamp(file string) string {
	info, err := os.Stat(file)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(info.ModTime().UnixNano(), info.Size())
}
