package conform

import (
	"context"
	"encoding/base64"
	"net/http"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
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
	Run: func(ctx context.Context, p *Pass) error {
		p.callOnce(ctx)
		for _, s := range p.round.judge.simplest(&p.round.judge.results) {
			for _, blocks := range [][]block{blocksOf(s.message.Result), contentsOf(s.message.Result), messageBlocks(s.message.Result)} {
				for _, b := range blocks {
					if declared, actual := b.otherType(); actual != "" {
						seen := s.proof()
						seen.Subject, seen.Pointer = nameIn(s.frames[0].Body), b.pointer+"/mimeType"
						p.once(seen, "media type does not match the data: expected %s, got %s", actual, quoted(declared))
					}
				}
			}
		}
		return nil
	},
}

// otherType returns the media type that a block declares and the actual type of its bytes, if the first is an image or audio
// type and the second is another type or text.
func (b block) otherType() (declared, actual string) {
	declared = TextAt(b.raw, "/mimeType")
	text := TextAt(b.raw, "/data")
	if text == "" {
		text = TextAt(b.raw, "/blob")
	}
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(data) < 12 || !strings.HasPrefix(declared, "image/") && !strings.HasPrefix(declared, "audio/") {
		return "", ""
	}
	found := http.DetectContentType(data)
	if strings.HasPrefix(found, "text/") && !strings.Contains(declared, "xml") {
		return declared, found // a page that says that there is no image
	}
	for _, same := range [][]string{{"image/png"}, {"image/jpeg", "image/jpg"}, {"image/gif"}, {"image/webp"}, {"audio/wave", "audio/wav", "audio/x-wav"}, {"audio/mpeg", "audio/mp3"}} {
		if slices.Contains(same, found) && !slices.Contains(same, declared) {
			return declared, found
		}
	}
	return "", ""
}
