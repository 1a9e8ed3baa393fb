// Packages makes the packages that install mcptest without a Go toolchain: npm packages and Python wheels, and those of the
// plugins for test runners.
//
//	go run ./tools/packages -name mcptest -version 1.2.3 -out DIR
//	go run ./tools/packages -name mcptest -version 1.2.3 -out DIR -platform linux/amd64 -binary PATH
//
// The first form writes what contains no binary: the npm package that users install, a launcher with one optional
// dependency per platform, and the plugins for Vitest and pytest. The second form writes what contains a binary: the npm
// package and the wheel of one platform. Neither npm nor Python is
// needed, and the same input gives the same bytes. A release runs both forms (.goreleaser.yaml).
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	r := release{}
	flag.StringVar(&r.name, "name", "", "name of the packages on npm and PyPI")
	flag.StringVar(&r.version, "version", "", "semantic version, without v")
	flag.StringVar(&r.plugins, "plugins", "plugins", "directory of the plugins")
	out := flag.String("out", "", "directory to write to")
	target := flag.String("platform", "", "GOOS/GOARCH of the binary")
	binary := flag.String("binary", "", "path of the binary")
	license := flag.String("license", "LICENSE", "path of the license")
	flag.Parse()
	err := run(r, *out, *target, *binary, *license)
	if err != nil {
		fmt.Fprintln(os.Stderr, "packages:", err)
		os.Exit(1)
	}
}

// A release is what all packages of one version have in common.
type release struct {
	name    string // on npm and PyPI
	version string
	plugins string // the directory of the plugins
	license []byte
}

// An archive is one finished package.
type archive struct {
	file  string
	bytes []byte
}

// run writes the packages and lists them with their sizes.
func run(r release, out, target, binary, license string) error {
	if r.name == "" || r.version == "" || out == "" || (target == "") != (binary == "") {
		return fmt.Errorf("-name, -version and -out are required, -platform and -binary only together")
	}
	var err error
	if r.license, err = os.ReadFile(license); err != nil {
		return err
	}
	archives, err := r.archives(target, binary)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for _, a := range archives {
		if err := os.WriteFile(filepath.Join(out, a.file), a.bytes, 0o644); err != nil {
			return err
		}
		fmt.Printf("%s  %.2f MB\n", a.file, float64(len(a.bytes))/1e6)
	}
	return nil
}

// archives makes the launcher and the plugins, or the packages of one platform.
func (r release) archives(target, binary string) ([]archive, error) {
	if target == "" {
		launcher, err := r.npmLauncher()
		if err != nil {
			return nil, err
		}
		plugins, err := r.pluginPackages()
		return append(plugins, launcher), err
	}
	p, err := platformOf(target)
	if err != nil {
		return nil, err
	}
	program, err := os.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	npm, err := r.npmPlatform(p, program)
	if err != nil {
		return nil, err
	}
	wheel, err := r.wheel(p, program)
	return []archive{npm, wheel}, err
}
