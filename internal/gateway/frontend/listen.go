package frontend

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// A subscriptionFilter is the list of changes that a client subscribes to.
type subscriptionFilter struct {
	Tools     bool     `json:"toolsListChanged,omitempty"`
	Prompts   bool     `json:"promptsListChanged,omitempty"`
	Resources bool     `json:"resourcesListChanged,omitempty"`
	URIs      []string `json:"resourceSubscriptions,omitempty"`
}

// has reports whether a change is included.
func (w subscriptionFilter) has(method, key string) bool {
	switch method {
	case toolsChanged:
		return w.Tools
	case promptsChanged:
		return w.Prompts
	case resourcesChanged:
		return w.Resources
	case resourceUpdated:
		return slices.Contains(w.URIs, key)
	}
	return false
}

// serve serves one subscription stream until the client disconnects or the gateway shuts down. Subscribe subscribes to
// a resource at its server; a resource that cannot be subscribed to is omitted from the acknowledgment.
func (h *hub) serve(ctx context.Context, c *serve.Call,
	subscribe func(uri string) (key string, cancel func(), err error)) (json.RawMessage, *serve.Error) {
	var wanted subscriptionFilter
	if json.Unmarshal(c.Fields["notifications"], &wanted) != nil {
		return nil, serve.InvalidParams("notifications: expected booleans, and a list of strings in " +
			"resourceSubscriptions")
	}
	meta := serve.Object(map[string]json.RawMessage{serve.MetaSubscription: c.ID})
	byKey := map[string]string{}
	honoured := wanted
	honoured.URIs = nil
	keys := honoured
	for _, uri := range wanted.URIs {
		key, cancel, err := subscribe(uri)
		if err != nil {
			continue
		}
		defer cancel()
		byKey[key] = uri
		honoured.URIs, keys.URIs = append(honoured.URIs, uri), append(keys.URIs, key)
	}
	stream, leave := h.listen(c.Peer.Caller, func(method, key string) (json.RawMessage, bool) {
		params := map[string]json.RawMessage{"_meta": meta}
		if method == resourceUpdated {
			params["uri"] = rawjson.Quote(byKey[key])
		}
		return serve.Object(params), keys.has(method, key)
	})
	defer leave()
	c.Notify("notifications/subscriptions/acknowledged",
		serve.Object(map[string]json.RawMessage{"notifications": serve.Encode(honoured), "_meta": meta}))
	for {
		select {
		case <-stream.wake:
			for _, t := range stream.take() {
				c.Notify(t.method, t.params)
			}
		case <-c.Drained:
			return serve.Object(map[string]json.RawMessage{"resultType": rawjson.Quote("complete"), "_meta": meta}), nil
		case <-ctx.Done():
			return nil, nil
		}
	}
}
