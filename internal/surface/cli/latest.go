package cli

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// releasesURL is where releases are. MCPTEST_RELEASES names a mirror with the same layout.
const releasesURL = "https://github.com/mcptest-dev/mcptest/releases"

// latestTimeout is how long version --check waits.
const latestTimeout = 15 * time.Second

// released is a line of the checksums of a release; it names the version.
var released = lazyregexp.New(`(?m)^[0-9a-f]{64}  mcptest_(\d[^_\s]*)_[a-z]+_[a-z0-9]+\.(?:tar\.gz|zip)$`)

// latestRelease returns the version of the latest release. Only version --check asks for it.
func latestRelease(ctx context.Context, releases string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, latestTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, releases+"/latest/download/checksums.txt", nil)
	if err != nil {
		return "", err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", &wire.Error{Target: request.URL.Host, Doing: "reach", Err: err,
			Hint: "check the network connection; the releases are at " + hint.Text(releases)}
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusNotFound {
		return "", fmt.Errorf("cannot find the latest release: no release at %s", releases)
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	if err != nil {
		return "", fmt.Errorf("cannot find the latest release: %w", err)
	}
	m := released().FindSubmatch(text)
	if response.StatusCode != http.StatusOK || m == nil {
		return "", fmt.Errorf("cannot find the latest release: expected checksums from %s, got status %d", request.URL,
			response.StatusCode)
	}
	return string(m[1]), nil
}
