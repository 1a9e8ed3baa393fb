// Command mutate measures tests: it changes the code of a package in one place at a time and reports the changes that
// no test of the package notices.
//
//	go run ./tools/mutate [-per 20] [-seed 1] [-floor 85] [-timeout 3m] PACKAGE[,PACKAGE…]…
//
// After a comma follow other packages whose tests also count.
//
// It exits with 1 if fewer than floor percent of the changes are noticed. The files on disk stay as they are: go test
// gets the changed file as an overlay.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"time"
)

func main() {
	per := flag.Int("per", 20, "changes to try in each package, chosen at random")
	seed := flag.Uint64("seed", 1, "seed of that choice")
	floor := flag.Int("floor", 85, "percent of the changes that tests must notice")
	limit := flag.Duration("timeout", 3*time.Minute,
		"time for the tests of one change; a change that runs out of it is noticed")
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(flag.Args(), *per, *seed, *floor, *limit); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

// A count is how many changes were tried and how many of them tests noticed.
type count struct{ tried, noticed int }

func (c count) percent() int { return 100 * c.noticed / max(c.tried, 1) }

func run(packages []string, per int, seed uint64, floor int, limit time.Duration) error {
	var all count
	for _, pkg := range packages {
		c, err := measure(pkg, per, seed, limit)
		if err != nil {
			return fmt.Errorf("%s: %w", pkg, err)
		}
		fmt.Printf("%s: tests notice %d of %d changes (%d %%)\n", pkg, c.noticed, c.tried, c.percent())
		all.tried, all.noticed = all.tried+c.tried, all.noticed+c.noticed
	}
	fmt.Printf("total: %d of %d (%d %%), expected at least %d %%\n", all.noticed, all.tried, all.percent(), floor)
	if all.percent() < floor {
		return fmt.Errorf("tests notice %d %% of the changes, expected %d %%", all.percent(), floor)
	}
	return nil
}

// measure tries changes of one package and prints those that no test notices.
func measure(pkgs string, per int, seed uint64, limit time.Duration) (c count, err error) {
	tested := strings.Split(pkgs, ",")
	files, err := sources(tested[0])
	if err != nil {
		return c, err
	}
	var changes []change
	for _, file := range files {
		found, err := changesOf(file)
		if err != nil {
			return c, err
		}
		changes = append(changes, found...)
	}
	test := append([]string{"test", "-count=1", "-vet=off"}, tested...)
	if out, err := exec.Command("go", test...).CombinedOutput(); err != nil {
		return c, fmt.Errorf("the tests fail without a change:\n%s", out)
	}
	r := rand.New(rand.NewPCG(seed, 0))
	r.Shuffle(len(changes), func(i, j int) { changes[i], changes[j] = changes[j], changes[i] })
	var survivors []string
	for _, ch := range changes {
		if c.tried == per {
			break
		}
		noticed, err := try(tested, ch, limit)
		switch {
		case errors.Is(err, errInvalid):
			continue
		case err != nil:
			return c, err
		}
		if c.tried++; noticed {
			c.noticed++
		} else {
			survivors = append(survivors, ch.String())
		}
	}
	sort.Strings(survivors)
	for _, s := range survivors {
		fmt.Println("not noticed:", s)
	}
	return c, nil
}

// sources lists the Go files of a package that are compiled on this system, without tests.
func sources(pkg string) ([]string, error) {
	out, err := exec.Command("go", "list", "-f", `{{range .GoFiles}}{{$.Dir}}/{{.}}{{"\n"}}{{end}}`, pkg).Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	return strings.Fields(string(out)), nil
}

// errInvalid means that the changed code does not compile.
var errInvalid = errors.New("does not compile")

// try runs the tests of packages with one change in the first, and reports whether they fail.
func try(pkgs []string, ch change, limit time.Duration) (noticed bool, err error) {
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	changed, overlay := filepath.Join(dir, "changed.go"), filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(changed, ch.apply(), 0o600); err != nil {
		return false, err
	}
	replaced, err := json.Marshal(map[string]any{"Replace": map[string]string{ch.file: changed}})
	if err != nil {
		return false, err
	}
	if err := os.WriteFile(overlay, replaced, 0o600); err != nil {
		return false, err
	}
	if err := exec.Command("go", "build", "-overlay", overlay, pkgs[0]).Run(); err != nil {
		return false, errInvalid
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	test := append([]string{"test", "-overlay", overlay, "-failfast", "-count=1", "-vet=off"}, pkgs...)
	cmd := exec.CommandContext(ctx, "go", test...)
	cmd.WaitDelay = 10 * time.Second
	return cmd.Run() != nil, nil
}
