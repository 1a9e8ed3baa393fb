package conform

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A describedText is a text by which a server describes itself or one of its items.
type describedText struct {
	seen Evidence
	text string
}

// descriptions returns the instructions of the server, the texts of its serverInfo, and those of its prompts and
// resources. The rules of schema-lint check the tools.
func (p *CheckContext) descriptions(ctx context.Context) ([]describedText, error) {
	if p.round.locked {
		return nil, nil // nothing was described without authorization
	}
	var all []describedText
	handshake, err := p.Handshake(ctx)
	if err != nil {
		return nil, err
	}
	for _, at := range []string{"/instructions", "/serverInfo", "/_meta/io.modelcontextprotocol~1serverInfo"} {
		collectTexts(At(handshake.Reply.Result, at), at, func(pointer, text string) {
			all = append(all, describedText{Evidence{Exchange: handshake, Pointer: pointer}, text})
		})
	}
	for _, method := range []string{"prompts/list", "resources/list", "resources/templates/list"} {
		if kind, _, _ := strings.Cut(method, "/"); !p.Declares(kind) {
			continue
		}
		list, err := p.List(ctx, method)
		if err != nil {
			continue // other checks report it
		}
		for _, item := range list.Items {
			collectTexts(item.Raw, "", func(pointer, text string) {
				all = append(all, describedText{Evidence{Subject: item.Name, Pointer: pointer}, text})
			})
		}
	}
	return all, nil
}

// collectTexts passes on the strings of a JSON value, without images and URIs.
func collectTexts(raw json.RawMessage, pointer string, add func(pointer, text string)) {
	switch schema.Kind(raw) {
	case '"':
		add(pointer, schema.Plain(raw))
	case '{':
		members, _ := schema.Members(raw)
		for _, m := range members {
			if m.Name != "icons" && m.Name != "uri" {
				collectTexts(m.Value, pointer+"/"+schema.Token(m.Name), add)
			}
		}
	case '[':
		elements, _ := schema.Elements(raw)
		for i, e := range elements {
			collectTexts(e, pointer+"/"+strconv.Itoa(i), add)
		}
	}
}
