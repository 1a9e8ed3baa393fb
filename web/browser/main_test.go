// Package browser tests the page as a person uses it: a real browser, the real program, real servers.
package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/chromedp/chromedp"
)

// What all tests share: one browser and one build of the program.
var (
	chromium context.Context
	program  string
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == fixture {
		serveFixture()
		return
	}
	os.Exit(run(m))
}

func run(m *testing.M) int {
	path := findBrowser()
	if path == "" {
		const missing = "left out: tests of the page need chromium"
		if os.Getenv("MCPTEST_REQUIRE_BROWSER") != "" {
			fmt.Fprintln(os.Stderr, "FAIL:", missing)
			return 1
		}
		fmt.Println(missing)
		return 0
	}
	dir, err := os.MkdirTemp("", "mcptest-page")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if program, err = build(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	var stop func()
	if chromium, stop, err = startBrowser(path, filepath.Join(dir, "profile"), nil); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer stop()
	return m.Run()
}

func findBrowser() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// build makes the program that people run.
func build(dir string) (string, error) {
	out := filepath.Join(dir, "mcptest")
	if runtime.GOOS == "windows" {
		out += ".exe"
	}
	cmd := exec.Command("go", "build", "-o", out, "github.com/mcptest-dev/mcptest/cmd/mcptest")
	if said, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the program: %w\n%s", err, said)
	}
	return out, nil
}

func startBrowser(path, profile string, flags map[string]any) (browser context.Context, stop func(), err error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.UserDataDir(profile),
		chromedp.NoSandbox, chromedp.Flag("disable-dev-shm-usage", true), chromedp.WindowSize(1440, 900))
	for name, value := range flags {
		options = append(options, chromedp.Flag(name, value))
	}
	allocator, endAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, end := chromedp.NewContext(allocator)
	if err := chromedp.Do(ctx); err != nil {
		end()
		endAllocator()
		return nil, nil, fmt.Errorf("start %s: %w", path, err)
	}
	return ctx, func() { end(); endAllocator() }, nil
}
