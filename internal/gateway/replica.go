package gateway

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/frontend"
	"github.com/mcptest-dev/mcptest/internal/gateway/replicas"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// idleSession is how long a session of a client is kept without requests.
const idleSession = 30 * time.Minute

// leaveAfter is how long a replica without sessions still responds to the others.
const leaveAfter = 250 * time.Millisecond

// checkReplica rejects options with which several gateways cannot serve the same clients.
func (r *gatewayRun) checkReplica() error {
	in := r.in
	if in.ReplicaURL == "" {
		return nil
	}
	err := replicas.CheckURL(in.ReplicaURL)
	switch {
	case err != nil:
		return &workbench.UsageError{Message: fmt.Sprintf("--replica-url %q: %v", in.ReplicaURL, err),
			Hint: "use the address of {--listen} as other gateways reach it, such as http://10.0.0.7:6280"}
	case in.Listen == "":
		return &workbench.UsageError{Message: "--replica-url requires --listen"}
	case !strings.HasPrefix(in.Store, "postgres://") && !strings.HasPrefix(in.Store, "postgresql://"):
		return &workbench.UsageError{Message: "--replica-url requires a store in PostgreSQL",
			Hint: "add {--store} postgres://HOST/DATABASE, the same for all replicas"}
	}
	return nil
}

// openReplicas registers this gateway for the others. All of them must accept the same callers.
func (r *gatewayRun) openReplicas(ctx context.Context) (err error) {
	if r.in.ReplicaURL == "" {
		return nil
	}
	if r.door.token != "" {
		return &workbench.UsageError{Message: "--replica-url: each replica would generate its own token",
			Hint: "list callers in the config, or use the same {--token-file} for all replicas"}
	}
	r.replicas, err = replicas.Open(ctx, replicas.Options{Database: r.in.Store, URL: r.in.ReplicaURL, Idle: idleSession})
	return err
}

// replicaID is the ID of this gateway among several; "" if it is the only one.
func (r *gatewayRun) replicaID() string {
	if r.replicas == nil {
		return ""
	}
	return r.replicas.Self()
}

// replicaHosts is the host that other replicas use for this one.
func (r *gatewayRun) replicaHosts() []string {
	u, err := url.Parse(r.in.ReplicaURL)
	if err != nil || u.Host == "" {
		return nil
	}
	return []string{u.Host}
}

// shareSessions keeps the sessions of this gateway alive in the store until the returned function is called.
func (r *gatewayRun) shareSessions() (stop func()) {
	if r.replicas == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(context.Background())
	var done sync.WaitGroup
	done.Go(func() { r.endpoint.ShareSessions(ctx) })
	return func() { cancel(); done.Wait() }
}

// unfinished is the number of requests that wait for the client's next one.
func (r *gatewayRun) unfinished() int {
	if g, ok := r.back.(*frontend.Gateway); ok {
		return g.Unfinished()
	}
	return 0
}
