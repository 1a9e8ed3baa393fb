package conform

import (
	"context"
	"encoding/base64"
	"net/http"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool046 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-046",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#image-content"),
		Doc: `image or file should not be base64 in a text block

A text block of the result is an image, a sound or a PDF file in base64. The model reads it letter by letter: it cannot see
the image, and the letters take a large part of its context. Return a block of type image or audio, an embedded resource
with a blob, or a link to a resource. Tools that say that they encode data are not reported.`,
	},
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		done, err := p.Called(ctx)
		for _, c := range done {
			if c.Result() == nil || encodes().MatchString(c.Name+" "+schema.TextAt(c.Definition, "/description")) {
				continue
			}
			for _, b := range blocksOf(c.Result()) {
				if found := encodedFile(schema.TextAt(b.raw, "/text")); found != "" {
					p.Report(Evidence{Subject: c.Name, Exchange: c.Exchange, Pointer: b.pointer + "/text"},
						"text is base64 of type %s: expected a block that clients can show", found)
				}
			}
		}
		return err
	},
}

// encodes matches what tools say whose result is an encoding by purpose.
var encodes = lazyregexp.New(`(?i)base-?64|data.?ur[il]|encod`)

// dataURL matches the start of a URL that contains an image or a sound.
var dataURL = lazyregexp.New(`^data:(?:image|audio|video)/[\w.+-]+;base64,`)

// encodedFile returns the media type of the file that a text is in base64, also as a data URL; empty if it is none.
func encodedFile(text string) string {
	text = strings.TrimSpace(text)
	text = text[len(dataURL().FindString(text)):]
	if len(text) < minEncoded {
		return ""
	}
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return ""
	}
	found := http.DetectContentType(data)
	family, _, _ := strings.Cut(found, "/")
	if family == "image" || family == "audio" || family == "video" || found == "application/pdf" {
		return found
	}
	return ""
}

// minEncoded is the length of a text in base64 that is not there by chance: a word may be valid base64.
const minEncoded = 64
