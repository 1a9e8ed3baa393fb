// Command hostdata compares the host profiles with recordings of what real hosts passed to their models, and prints
// the agreement and the disagreements of each host.
//
//	go run ./tools/hostdata [-data DIR] [-host LIST] [-show N] [-half even|odd]
//
// mcptest hosts record writes such recordings.
//
// DIR contains HOST-VERSION.jsonl for each host, with one tool per line, and batches/batch-NN.json with the tools as
// the server sent them.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	data := flag.String("data", "", "directory of the recordings (default: hosts in MCPTEST_DATA or ../shared/data)")
	wanted := flag.String("host", "", "only these hosts, separated by commas")
	show := flag.Int("show", 10, "disagreements to print per host")
	half := flag.String("half", "", "compare only tools with an even or odd index: even or odd")
	flag.Parse()
	folder := cmp.Or(*data, filepath.Join(cmp.Or(os.Getenv("MCPTEST_DATA"), filepath.Join("..", "shared", "data")),
		"hosts"))
	if err := run(os.Stdout, folder, *wanted, *half, *show); err != nil {
		fmt.Fprintln(os.Stderr, "hostdata:", err)
		os.Exit(1)
	}
}

// run prints the agreement of the profiles with the recordings in a folder.
func run(out io.Writer, folder, wanted, half string, show int) error {
	results, err := compare(folder, func(index int) bool {
		return half == "" || half == "even" && index%2 == 0 || half == "odd" && index%2 == 1
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%-12s %-9s %6s %6s %10s %10s %12s\n", "host", "version", "tools", "same", "agreement", "dropped",
		"server lost")
	for _, r := range results {
		if wanted != "" && !contains(wanted, r.Host) {
			continue
		}
		fmt.Fprintf(out, "%-12s %-9s %6d %6d %9.2f%% %10s %12s\n", r.Host, r.Version, r.Tools, r.Same,
			100*r.Agreement(),
			foreseen(r.Dropped, r.DroppedForeseen), foreseen(r.Lost, r.LostForeseen))
		for i, d := range r.Disagreements {
			if i == show {
				fmt.Fprintf(out, "    … %d more\n", len(r.Disagreements)-i)
				break
			}
			fmt.Fprintf(out, "    %s\n", d)
		}
	}
	return nil
}

func foreseen(recorded, predicted int) string { return fmt.Sprintf("%d of %d", predicted, recorded) }

func contains(list, name string) bool {
	for _, one := range strings.Split(list, ",") {
		if strings.TrimSpace(one) == name {
			return true
		}
	}
	return false
}
