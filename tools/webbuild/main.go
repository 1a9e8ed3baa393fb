// Webbuild builds web/dist, the inspector's page, from web/src: bundled, named by content hash and precompressed.
//
//	go run ./tools/webbuild
//
// It needs `npm ci` in web, for the sources of the libraries and the type checker; Node is not used for
// bundling. The output depends only on the sources, so that anyone can reproduce and compare it.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

func main() {
	quick := flag.Bool("quick", false, "skip the type check")
	dir := flag.String("dir", "web", "the folder of the page")
	flag.Parse()
	if err := run(*dir, !*quick); err != nil {
		fmt.Fprintln(os.Stderr, "webbuild:", err)
		os.Exit(1)
	}
}

// run builds the page of one folder.
func run(web string, check bool) error {
	if _, err := os.Stat(filepath.Join(web, "node_modules", "preact")); err != nil {
		return fmt.Errorf("%s has no node_modules; run npm ci there", web)
	}
	if check {
		if err := typecheck(web); err != nil {
			return err
		}
	}
	files, err := bundle(web)
	if err != nil {
		return err
	}
	dist := filepath.Join(web, "dist")
	if err := replace(dist, files); err != nil {
		return err
	}
	fmt.Printf("%s: %d files, first load %.1f KB compressed\n", dist, len(files), float64(firstLoad(files))/1000)
	return nil
}

// typecheck runs the TypeScript compiler without output.
func typecheck(web string) error {
	cmd := exec.Command("npx", "--no-install", "tsc", "--noEmit")
	cmd.Dir = web
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("tsc: %w\n%s", err, out)
	}
	return nil
}

// replace makes the folder contain exactly these files. Unchanged files are not touched.
func replace(dist string, files map[string][]byte) error {
	var errs []error
	for name, content := range files {
		errs = append(errs, write(filepath.Join(dist, name), content))
	}
	entries, err := os.ReadDir(dist)
	errs = append(errs, err)
	for _, entry := range entries {
		if _, wanted := files[entry.Name()]; !wanted {
			errs = append(errs, os.RemoveAll(filepath.Join(dist, entry.Name())))
		}
	}
	return errors.Join(errs...)
}

func write(path string, content []byte) error {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, content) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o644)
}
