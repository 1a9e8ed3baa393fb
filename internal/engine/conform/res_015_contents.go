package conform

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var res015 = &Check{
	Rule: finding.Rule{
		ID:       "RES-015",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/resources#resource-contents"),
		Doc: `contents of a resource should match its media type and its size

Text with media type application/json that is not JSON breaks every client that parses it. An image as text is damaged:
bytes belong in blob. A wrong size makes hosts reserve the wrong amount of context.`,
	},
	Needs: "resources",
	Run: func(ctx context.Context, p *CheckContext) error {
		reads, err := p.Reads(ctx)
		for _, r := range reads {
			contents := contentsOf(r.Exchange.Reply.Result)
			for _, b := range contents {
				text, isText := schema.Text(At(b.raw, "/text"))
				seen := Evidence{Subject: r.Item.Name, Exchange: r.Exchange, Pointer: b.pointer + "/text"}
				if kind := schema.TextAt(b.raw, "/mimeType"); isText && kind == "application/json" &&
					!json.Valid([]byte(text)) {
					p.Report(seen, "media type is application/json: expected JSON, got %s", quoted(text))
				}
				if kind := schema.TextAt(b.raw, "/mimeType"); isText && isBinary(kind) &&
					strings.ContainsRune(text, utf8.RuneError) {
					p.Report(seen, "the media type is %s: expected a blob, got a text with characters that could not "+
						"be read", kind)
				}
				if isText && At(b.raw, "/blob") != nil {
					p.Report(seen, "contents have text and blob: expected one of them, got both")
				}
			}
			if declared := string(At(r.Item.Raw, "/size")); declared != "" && len(contents) == 1 {
				if size, ok := sizeOf(contents[0]); ok && declared != fmt.Sprint(size) {
					p.Report(Evidence{Subject: r.Item.Name, Exchange: r.Exchange, Pointer: "/size"},
						"size in the list is %s: expected %d", declared, size)
				}
			}
		}
		return err
	},
}

// isBinary reports whether a media type describes binary data.
func isBinary(mediaType string) bool {
	family, name, _ := strings.Cut(mediaType, "/")
	switch family {
	case "image", "audio", "video", "font":
		return !strings.Contains(name, "xml")
	}
	return slices.Contains([]string{"application/octet-stream", "application/pdf", "application/zip",
		"application/gzip"}, mediaType)
}

// sizeOf returns the number of bytes of contents before encoding.
func sizeOf(b block) (int, bool) {
	if text, ok := schema.Text(At(b.raw, "/text")); ok {
		return len(text), true
	}
	data, err := base64.StdEncoding.DecodeString(schema.TextAt(b.raw, "/blob"))
	return len(data), err == nil && At(b.raw, "/blob") != nil
}
