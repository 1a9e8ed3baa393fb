package conform

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool031 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-031",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#image-content"),
		Doc: `image and audio bytes should match the media type

Clients decode by the media type and model providers check it: an image of another type is rejected, and the whole
conversation with it.`,
	},
	Last: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		p.callOnce(ctx)
		for _, s := range p.round.validator.simplest(&p.round.validator.results) {
			for _, blocks := range [][]block{blocksOf(s.message.Result), contentsOf(s.message.Result),
				messageBlocks(s.message.Result)} {
				for _, b := range blocks {
					if problem := b.otherType(); problem != "" {
						seen := s.proof()
						seen.Subject, seen.Pointer = nameIn(s.frames[0].Body), b.pointer+"/mimeType"
						p.once(seen, "%s", problem)
					}
				}
			}
		}
		return nil
	},
}

// otherType returns how the bytes of a block contradict its media type; empty if they do not, or if the type is not one
// of an image or of audio.
func (b block) otherType() (problem string) {
	declared := schema.TextAt(b.raw, "/mimeType")
	text := schema.TextAt(b.raw, "/data")
	if text == "" {
		text = schema.TextAt(b.raw, "/blob")
	}
	if raw := At(b.raw, "/data"); string(raw) == `""` && strings.HasPrefix(declared, "image/") {
		return "data is empty: expected an image of type " + declared
	}
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(data) < 12 || !strings.HasPrefix(declared, "image/") &&
		!strings.HasPrefix(declared, "audio/") {
		return ""
	}
	const mismatch = "media type does not match the data: expected %s, got %s"
	found := http.DetectContentType(data)
	if strings.HasPrefix(found, "text/") && !strings.Contains(declared, "xml") {
		return fmt.Sprintf(mismatch, found, quoted(declared)) // a page that says that there is no image
	}
	known := func(mediaType string) []string {
		at := slices.IndexFunc(signatures, func(same []string) bool { return slices.Contains(same, mediaType) })
		if at < 0 {
			return nil
		}
		return signatures[at]
	}
	switch same := known(declared); {
	case known(found) != nil && !slices.Contains(known(found), declared):
		return fmt.Sprintf(mismatch, found, quoted(declared))
	case same == nil, slices.Contains(same, found), !strings.HasPrefix(declared, "image/"):
		return ""
	case hexadecimal().MatchString(text):
		return "data is hexadecimal text: expected base64"
	default:
		return fmt.Sprintf("data is not an image of type %s: it starts with %x", declared, data[:8])
	}
}

// signatures are the names of the types whose files start with fixed bytes.
var signatures = [][]string{{"image/png"}, {"image/jpeg", "image/jpg"}, {"image/gif"}, {"image/webp"},
	{"audio/wave", "audio/wav", "audio/x-wav"}, {"audio/mpeg", "audio/mp3"}}

var hexadecimal = lazyregexp.New(`^[0-9a-fA-F]+$`)
