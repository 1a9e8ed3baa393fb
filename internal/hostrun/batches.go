package hostrun

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// recordNames names hosts in the files of recordings, where the name is not the ID.
var recordNames = map[string]string{"claude-code": "claude", "gemini-cli": "gemini", "copilot-cli": "copilot",
	"qwen-code": "qwen"}

// RecordFile returns the name of the recording of a version of a host.
func RecordFile(host, version string) string {
	if name, ok := recordNames[host]; ok {
		host = name
	}
	return host + "-" + version + ".jsonl"
}

// maxBatch is the maximum size of a file of tools.
const maxBatch = 64 << 20

// ReadBatches reads the tools in batches/batch-NN.json of a folder, in the order of the names.
func ReadBatches(folder string) ([][]RecordTool, error) {
	names, err := filepath.Glob(filepath.Join(folder, "batches", "batch-*.json"))
	if err != nil || len(names) == 0 {
		return nil, fmt.Errorf("no batches/batch-NN.json in %s", folder)
	}
	slices.Sort(names)
	batches := make([][]RecordTool, len(names))
	for i, name := range names {
		raw, err := readBatch(name)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(raw, &batches[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for n, tool := range batches[i] {
			if len(tool.Tool) == 0 || tool.Tool[0] != '{' {
				return nil, fmt.Errorf("%s: element %d has no object tool", name, n)
			}
		}
	}
	return batches, nil
}

func readBatch(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxBatch+1))
	if err == nil && len(raw) > maxBatch {
		err = fmt.Errorf("%s is larger than %d MiB", name, maxBatch>>20)
	}
	return raw, err
}
