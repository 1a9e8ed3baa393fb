package catalog_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
)

// With a key, Allow is asked about each tool once, and again after a change; without one, for each search.
func TestSearchAsksWhatIsAllowedOnce(t *testing.T) {
	c := office(t)
	asked := 0
	search := func(key, only string) []string {
		asked = 0
		return found(c.Search([]string{"file"}, catalog.Filter{AllowKey: key, Allow: func(t *catalog.Tool) bool {
			asked++
			return only == "" || t.Name == only
		}}))
	}
	for i, step := range []struct {
		key, only string
		asks      bool
	}{
		{"reader", "read_file", true}, {"reader", "read_file", false}, {"writer", "writeFile", true},
		{"reader", "read_file", false}, {"writer", "writeFile", false}, {"", "read_file", true}, {"", "writeFile", true},
	} {
		if got := search(step.key, step.only); !slices.Equal(got, []string{step.only}) || (asked > 0) != step.asks {
			t.Errorf("step %d finds %v and asks %d times, expected only %s, asked: %v", i, got, asked, step.only, step.asks)
		}
	}
	if _, err := c.Register(t.Context(), catalog.Tool{Name: "file_new"}); err != nil {
		t.Fatal(err)
	}
	if search("reader", "file_new"); asked == 0 {
		t.Error("after a change of the catalog, the search does not ask what is allowed")
	}
	for i := range 100 { // only some are kept
		search(fmt.Sprint("key", i), "")
	}
	if search("reader", ""); asked == 0 {
		t.Error("after 100 other callers, what the first is allowed is still kept")
	}
	f := catalog.Filter{AllowKey: "reader", Server: "nowhere", Allow: func(*catalog.Tool) bool { return true }}
	if hits := c.Search([]string{"file"}, f); len(hits) > 0 {
		t.Errorf("the tools of another server are %v, expected none", found(hits))
	}
}

// Searches during changes find only what their caller may see.
func TestSearchDuringChanges(t *testing.T) {
	c := office(t)
	done := make(chan struct{})
	var searches sync.WaitGroup
	for i := range 4 {
		searches.Go(func() {
			mine := fmt.Sprint("server", i%2)
			f := catalog.Filter{AllowKey: mine, Allow: func(t *catalog.Tool) bool { return t.Server == mine }}
			for running := true; running; {
				select {
				case <-done:
					running = false
				default:
				}
				for _, h := range c.Search([]string{"read a flie", "weather"}, f) {
					if h.Tool.Server != mine || h.Score <= 0 || h.Score > 1 {
						t.Errorf("found %s with score %v, expected tools of %s with 0..1", h.Tool.Key(), h.Score, mine)
					}
				}
				c.Search([]string{"file"}, catalog.Filter{})
			}
		})
	}
	for i := range 50 {
		server := fmt.Sprint("server", i%2)
		tools := []catalog.Tool{{Name: "read_file", Description: fmt.Sprint("Reads a file. ", i)},
			{Name: fmt.Sprint("weather_", i)}}
		if _, err := c.ReplaceServer(t.Context(), server, tools[:1+i/2%2]); err != nil {
			t.Fatal(err)
		}
		c.SetStale(server, i%3 == 0)
		c.RemoveListing(c.AddListing(server, tools))
	}
	close(done)
	searches.Wait()
	if hits := c.Search([]string{"read a file"}, catalog.Filter{Server: "server1", Limit: 1}); len(hits) != 1 {
		t.Errorf("afterwards %v is found, expected read_file of server1", found(hits))
	}
}
