package conform

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
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
bytes belong in blob, as base64, and base64 belongs there alone: not in text, and not twice. A wrong size makes hosts reserve
the wrong amount of context.`,
	},
	Needs: "resources",
	Run: func(ctx context.Context, p *CheckContext) error {
		reads, err := p.Reads(ctx)
		for _, r := range reads {
			contents := contentsOf(r.Exchange.Reply.Result)
			damaged := false // the size of damaged contents says nothing about the one in the list
			for _, b := range contents {
				text, isText := schema.Text(At(b.raw, "/text"))
				seen := Evidence{Subject: r.Item.Name, Exchange: r.Exchange, Pointer: b.pointer + "/text"}
				if kind := schema.TextAt(b.raw, "/mimeType"); isText && kind == "application/json" &&
					!json.Valid([]byte(text)) {
					p.Report(seen, "media type is application/json: expected JSON, got %s", quoted(text))
				}
				if kind := schema.TextAt(b.raw, "/mimeType"); isText && isBinary(kind) &&
					strings.ContainsRune(text, utf8.RuneError) {
					damaged = true
					p.Report(seen, "the media type is %s: expected a blob, got a text with characters that could not "+
						"be read", kind)
				}
				if field, problem := b.misplacedBase64(); problem != "" {
					damaged = true
					p.Report(Evidence{Subject: r.Item.Name, Exchange: r.Exchange, Pointer: b.pointer + field}, "%s", problem)
				}
				if isText && At(b.raw, "/blob") != nil {
					p.Report(seen, "contents have text and blob: expected one of them, got both")
				}
			}
			if declared := string(At(r.Item.Raw, "/size")); declared != "" && len(contents) == 1 && !damaged {
				if size, ok := sizeOf(contents[0]); ok && declared != fmt.Sprint(size) {
					p.Report(Evidence{Subject: r.Item.Name, Exchange: r.Exchange, Pointer: "/size"},
						"size in the list is %s: expected %d", declared, size)
				}
			}
		}
		return err
	},
}

// misplacedBase64 describes contents with base64 where a client does not decode it; empty if there is none.
func (b block) misplacedBase64() (field, problem string) {
	kind := schema.TextAt(b.raw, "/mimeType")
	if text, isText := schema.Text(At(b.raw, "/text")); isText {
		decoded, ok := decoded(strings.TrimSpace(text[len(dataURL().FindString(text)):]))
		switch {
		case ok && isBinary(kind):
			return "/text", fmt.Sprintf("the media type is %s: expected a blob, got base64 as text", kind)
		case ok && isProse(decoded) && (kind == "" || strings.HasPrefix(kind, "text/")):
			return "/text", "text is base64: expected the text itself"
		}
		return "", ""
	}
	data, ok := decoded(schema.TextAt(b.raw, "/blob"))
	if _, again := decoded(string(data)); ok && again && isBinary(kind) {
		return "/blob", fmt.Sprintf("the media type is %s: expected base64 of the bytes, got base64 of base64", kind)
	}
	return "", ""
}

// decoded returns the bytes of a text in base64 that is long enough not to be a word.
func decoded(text string) ([]byte, bool) {
	data, err := base64.StdEncoding.DecodeString(text)
	return data, err == nil && len(text) >= minBase64
}

// minBase64 is the length of a text in base64 that is rarely a word.
const minBase64 = 12

// isProse reports whether bytes are a text of several words.
func isProse(data []byte) bool {
	return utf8.Valid(data) && len(strings.Fields(string(data))) > 2 &&
		!strings.ContainsFunc(string(data), func(r rune) bool { return !unicode.IsPrint(r) && !unicode.IsSpace(r) })
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
