package bench

import (
	"fmt"
	"math/rand"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
)

// BenchmarkCatalogSearch measures searches of usual length, as the meta-tools make them. Every query is computed. It
// reports percentiles of processor time, and the memory of the catalog; with -cpu 1, ns/op includes the garbage
// collection.
func BenchmarkCatalogSearch(b *testing.B) {
	for _, run := range []struct {
		name   string
		tools  int
		filter catalog.Filter
	}{
		{"1000", 1000, asMetaTools()},
		{"10000", catalogTools, asMetaTools()},
		{"10000-restricted", catalogTools, restricted()},
	} {
		b.Run(run.name, func(b *testing.B) {
			random := rand.New(rand.NewSource(1))
			before := heapBytes()
			c := bigCatalog(b, run.tools, random)
			memory := heapBytes() - before
			queries := make([]string, 5000)
			for i := range queries {
				queries[i] = sentence(random, 2+random.Intn(7))
			}
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			b.ReportAllocs()
			var times []time.Duration
			for b.Loop() {
				query := queries[len(times)%len(queries)]
				start := threadTime()
				c.Search([]string{query}, run.filter)
				times = append(times, threadTime()-start)
			}
			slices.Sort(times)
			for _, percent := range []int{50, 95, 99} {
				b.ReportMetric(float64(times[len(times)*percent/100].Nanoseconds())/1000, fmt.Sprintf("p%d-µs", percent))
			}
			b.ReportMetric(float64(memory)/(1<<20), "MB")
			b.ReportMetric(float64(heapBytes()-before)/(1<<20), "MB-searched")
			runtime.KeepAlive(c)
		})
	}
}

// restricted is the filter of the meta-tools for a caller that may not use the tools of every tenth server.
func restricted() catalog.Filter {
	return catalog.Filter{AllowKey: "not 7",
		Allow: func(t *catalog.Tool) bool { return !strings.HasSuffix(t.Server, "7") }}
}

// BenchmarkCatalogChange measures a change of one tool in a big catalog, and the first search after it, in processor
// time.
func BenchmarkCatalogChange(b *testing.B) {
	random := rand.New(rand.NewSource(1))
	c := bigCatalog(b, catalogTools, random)
	tools := serverTools(b, "one", 1, random)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var changes, searches []time.Duration
	for b.Loop() {
		tools[0].Description = sentence(random, 50)
		start := threadTime()
		if _, err := c.ReplaceServer(b.Context(), "one", tools); err != nil {
			b.Fatal(err)
		}
		changed := threadTime()
		c.Search([]string{sentence(random, 5)}, asMetaTools())
		changes, searches = append(changes, changed-start), append(searches, threadTime()-changed)
	}
	for unit, times := range map[string][]time.Duration{"change-p50-µs": changes, "first-search-p50-µs": searches} {
		slices.Sort(times)
		b.ReportMetric(float64(times[len(times)/2].Nanoseconds())/1000, unit)
	}
}

// bigCatalog makes a catalog of the tools of a hundred servers.
func bigCatalog(b *testing.B, tools int, random *rand.Rand) *catalog.Catalog {
	b.Helper()
	c := catalog.New()
	b.Cleanup(func() { c.Close() })
	for server := range 100 {
		name := fmt.Sprint("server", server)
		if _, err := c.ReplaceServer(b.Context(), name, serverTools(b, name, tools/100, random)); err != nil {
			b.Fatal(err)
		}
	}
	return c
}

func heapBytes() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
