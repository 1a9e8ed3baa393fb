package conform

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http004 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-004",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/transports/streamable-http#security-warning"),
		Doc: `foreign Origin must be rejected with 403

A browser sends the page that makes a request in Origin. A page whose host name resolves to 127.0.0.1 (DNS rebinding)
can reach a local server, with that name in Host and Origin. A server that accepts such a request exposes the user's
files to the page; this is an error. The specification requires servers to validate Origin and to reject an invalid one
with 403.

The server decides which origins are valid; the specification only implies that a foreign one is not. These cases are
therefore warnings: a local server that accepts a foreign Origin but not the matching foreign Host (as most SDKs do),
because it is not vulnerable to rebinding; and a remote server that accepts a foreign Origin, because it may intend to
serve all pages.

If a foreign Origin is rejected, the check also sends foreign origins that begin or end like one that the server may
allow, such as http://localhost.mcptest-foreign.example, and null. A server that accepts them compares only a part of the
text. Parse the origin and compare its whole host name.`,
	},
	Since: spec.March2025,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		if open, err := v.rebindingRequest(ctx); err != nil || open {
			return err
		}
		a, err := v.Ping(ctx, http.Header{"Origin": {"http://" + foreignHost}})
		switch seen := (Evidence{Answer: a, Subject: "Origin"}); {
		case err != nil:
			return err
		case a.Status/100 == 2 && near(p.Target):
			p.Warn(seen, "request with a foreign Origin: got HTTP %d, expected 403 (the foreign Host was rejected)",
				a.Status)
		case a.Status/100 == 2:
			p.Warn(seen, "request with a foreign Origin: got HTTP %d, expected 403 unless the server is meant for "+
				"all pages", a.Status)
		case a.Status != http.StatusForbidden && p.Revision.OriginStatus:
			p.Warn(seen, "request with a foreign Origin was rejected with HTTP %d, expected 403", a.Status)
		}
		if a.Status/100 != 4 || a.Status == http.StatusTooManyRequests {
			return nil
		}
		return v.tryLookalikes(ctx)
	},
}

// A lookalike is a foreign origin that an incomplete comparison takes for an allowed one.
type lookalike struct{ origin, host, mistake string }

// lookalikes lists foreign origins that begin or end like those that a server at a URL may allow.
func lookalikes(target string) []lookalike {
	var all []lookalike
	begins := func(host string) {
		all = append(all, lookalike{"http://" + host + "." + foreignHost, host + "." + foreignHost,
			"only the beginning of the host was compared"})
	}
	ends := func(host string) {
		all = append(all, lookalike{"https://mcptest-" + host, "mcptest-" + host,
			"only the end of the host was compared"})
	}
	u, err := url.Parse(target)
	if err != nil {
		return nil
	}
	host, ip := u.Hostname(), net.ParseIP(u.Hostname())
	switch {
	case isLoopback(u):
		begins("localhost")
		begins("127.0.0.1")
		ends("localhost")
	case ip == nil || ip.To4() != nil:
		begins(host)
	}
	if labels := strings.Split(host, "."); !isLoopback(u) && ip == nil && len(labels) > 1 {
		ends(strings.Join(labels[len(labels)-2:], ".")) // a subdomain may be allowed on purpose
	}
	return append(all, lookalike{origin: "null", mistake: "a sandboxed frame of any page has this origin"})
}

// tryLookalikes reports the first foreign origin that is accepted because it looks like an allowed one.
func (v *HTTPSession) tryLookalikes(ctx context.Context) error {
	for _, l := range lookalikes(v.p.Target.URL) {
		a, err := v.Ping(ctx, http.Header{"Origin": {l.origin}})
		if err != nil {
			return err
		}
		if a.Status/100 != 2 {
			continue
		}
		if l.host != "" && near(v.p.Target) {
			rebound, err := v.Ping(ctx, http.Header{"Host": {l.host}, "Origin": {"http://" + l.host}})
			if err != nil {
				return err
			}
			if rebound.Status/100 == 2 {
				v.p.Report(Evidence{Answer: rebound, Subject: "Origin"}, "request with Host %s and Origin http://%[1]s: "+
					"got HTTP %d, expected 403 as for http://%s (%s)", l.host, rebound.Status, foreignHost, l.mistake)
				return nil
			}
		}
		v.p.Warn(Evidence{Answer: a, Subject: "Origin"}, "request with Origin %s: got HTTP %d, expected 403 as for "+
			"http://%s (%s)", l.origin, a.Status, foreignHost, l.mistake)
		return nil
	}
	return nil
}

// rebindingRequest sends the request of a page whose host name resolves to this machine, and reports whether it was
// served.
func (v *HTTPSession) rebindingRequest(ctx context.Context) (open bool, err error) {
	if !near(v.p.Target) {
		return false, nil // DNS rebinding does not affect remote servers
	}
	a, err := v.Ping(ctx, http.Header{"Host": {foreignHost}, "Origin": {"http://" + foreignHost}})
	if err != nil || a.Status/100 != 2 {
		return false, err
	}
	v.p.Report(Evidence{Answer: a, Subject: "Origin"},
		"request with a foreign Host and Origin: got HTTP %d, expected 403", a.Status)
	return true, nil
}
