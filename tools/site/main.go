// Site builds the documentation as static HTML: every page of docs, with navigation, search and a stable address for
// each rule. The result needs no server; it can be opened from a disk or published by GitHub Pages.
//
//	go run ./tools/site -o _site
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	docs := flag.String("docs", "docs", "directory of the pages")
	out := flag.String("o", "_site", "output directory; it is replaced")
	flag.Parse()
	pages, err := build(*docs, *out)
	if err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
	fmt.Printf("%s: %d pages\n", *out, pages)
}
