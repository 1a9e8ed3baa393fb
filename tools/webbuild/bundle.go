package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// bundle builds the files of dist, by name: compressed scripts and styles, the page that loads them, and the licenses
// of the bundled packages.
func bundle(web string) (map[string][]byte, error) {
	root, err := filepath.Abs(web)
	if err != nil {
		return nil, err
	}
	options := api.BuildOptions{
		AbsWorkingDir: root, EntryPoints: []string{"src/main.tsx", "src/styles/main.css"}, Outdir: "dist",
		EntryNames: "[name]-[hash]", ChunkNames: "[name]-[hash]", Bundle: true, Splitting: true,
		Format: api.FormatESModule,
		Target: api.ES2022, MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, Metafile: true,
		JSX: api.JSXAutomatic, JSXImportSource: "preact", LegalComments: api.LegalCommentsNone,
		LogLevel: api.LogLevelWarning,
		Charset:  api.CharsetUTF8, TreeShaking: api.TreeShakingTrue,
	}
	built := api.Build(options)
	options.EntryPoints = []string{"src/views/apps/headless.ts"} // alone: shared chunks would be more requests of the page
	headless := api.Build(options)
	if problems := append(built.Errors, headless.Errors...); len(problems) > 0 {
		return nil, errors.New(problems[0].Text)
	}
	files := map[string][]byte{}
	loads := map[string]string{}
	for _, out := range append(built.OutputFiles, headless.OutputFiles...) {
		name := filepath.Base(out.Path)
		files[name+".gz"] = compress(out.Contents)
		if strings.HasPrefix(name, "main-") {
			loads[filepath.Ext(name)] = name
		}
	}
	page, err := document(root, built.Metafile, loads)
	if err != nil {
		return nil, err
	}
	licences, err := licences(root, built.Metafile)
	files["index.html.gz"], files["licenses.txt.gz"] = compress(page), compress(licences)
	return files, err
}

// compress omits time and name, so that the same content has the same bytes.
func compress(content []byte) []byte {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression)
	_, _ = w.Write(content)
	_ = w.Close()
	return out.Bytes()
}

// A metafile is esbuild's description of its outputs.
type metafile struct {
	Inputs  map[string]struct{} `json:"inputs"`
	Outputs map[string]struct {
		EntryPoint string `json:"entryPoint"`
		Imports    []struct {
			Path string `json:"path"`
			Kind string `json:"kind"`
		} `json:"imports"`
	} `json:"outputs"`
}

// document inserts the names of the built files into the page. It also preloads the static imports of the script, so
// that the browser does not discover them one by one.
func document(root, meta string, loads map[string]string) ([]byte, error) {
	page, err := os.ReadFile(filepath.Join(root, "src", "index.html"))
	if err != nil {
		return nil, err
	}
	var m metafile
	if err := json.Unmarshal([]byte(meta), &m); err != nil {
		return nil, err
	}
	var preloads strings.Builder
	for _, im := range m.Outputs["dist/"+loads[".js"]].Imports {
		if im.Kind == "import-statement" {
			fmt.Fprintf(&preloads, "<link rel=\"modulepreload\" href=\"/%s\">\n", path.Base(im.Path))
		}
	}
	filled := strings.NewReplacer("{{script}}", "/"+loads[".js"], "{{style}}", "/"+loads[".css"], "{{preloads}}\n",
		preloads.String())
	return []byte(filled.Replace(string(page))), nil
}

// licences collects the license of every bundled package.
func licences(root, meta string) ([]byte, error) {
	var m metafile
	if err := json.Unmarshal([]byte(meta), &m); err != nil {
		return nil, err
	}
	packages := map[string]bool{}
	for input := range m.Inputs {
		if rest, ok := strings.CutPrefix(input, "node_modules/"); ok {
			packages[packageName(rest)] = true
		}
	}
	var out bytes.Buffer
	for _, name := range sorted(packages) {
		text, err := os.ReadFile(filepath.Join(root, "node_modules", filepath.FromSlash(name), "LICENSE"))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		fmt.Fprintf(&out, "%s\n\n%s\n\n", name, bytes.TrimSpace(text))
	}
	return out.Bytes(), nil
}

func packageName(inside string) string {
	parts := strings.Split(inside, "/")
	if strings.HasPrefix(parts[0], "@") {
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}

func sorted(set map[string]bool) []string {
	var all []string
	for name := range set {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// firstLoad is the size of the files that a browser fetches before the page can be used.
func firstLoad(files map[string][]byte) int {
	page, total := files["index.html.gz"], len(files["index.html.gz"])
	text := string(expand(page))
	for name, content := range files {
		if strings.Contains(text, strings.TrimSuffix(name, ".gz")) && name != "index.html.gz" {
			total += len(content)
		}
	}
	return total
}

func expand(compressed []byte) []byte {
	r, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return nil
	}
	var out bytes.Buffer
	_, _ = out.ReadFrom(r)
	return out.Bytes()
}
