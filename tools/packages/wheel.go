package main

import (
	"archive/zip"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"regexp"
	"strings"
)

// wheel is a Python wheel with the binary among its scripts: pip, pipx and uv copy it to the bin folder, so that no
// Python runs between the user and the program.
func (r release) wheel(p platform, program []byte) (archive, error) {
	version, err := pythonVersion(r.version)
	if err != nil {
		return archive{}, err
	}
	stem := wheelStem(r.name, version)
	info := stem + ".dist-info/"
	w := &wheelWriter{}
	w.zip = zip.NewWriter(&w.bytes)
	w.add(stem+".data/scripts/"+p.executable(), 0o755, program)
	w.add(info+"licenses/LICENSE", 0o644, r.license)
	w.add(info+"METADATA", 0o644, []byte(r.metadata(version)))
	w.add(info+"WHEEL", 0o644, []byte(wheelFile(false, p.tags...)))
	if err := w.finish(info); err != nil {
		return archive{}, err
	}
	return archive{stem + "-py3-none-" + strings.Join(p.tags, ".") + ".whl", w.bytes.Bytes()}, nil
}

// wheelStem is what the file name of a wheel begins with. A "-" separates its parts, so names in it have none.
func wheelStem(name, version string) string {
	return strings.ToLower(regexp.MustCompile(`[-_.]+`).ReplaceAllString(name, "_")) + "-" + version
}

// metadata is what PyPI shows.
func (r release) metadata(version string) string {
	return "Metadata-Version: 2.4\nName: " + r.name + "\nVersion: " + version + "\nSummary: " + summary +
		"\nLicense-Expression: " + licenseID + "\nLicense-File: LICENSE\nProject-URL: Source, " + homepage +
		"\nKeywords: mcp,model-context-protocol,testing\nRequires-Python: >=3.8\n" +
		"Description-Content-Type: text/markdown\n\n" + strings.ReplaceAll(readme, "NAME", r.name)
}

// wheelFile is the file WHEEL, with one line per tag of the file name.
func wheelFile(pure bool, tags ...string) string {
	text := fmt.Sprintf("Wheel-Version: 1.0\nGenerator: mcptest tools/packages\nRoot-Is-Purelib: %v\n", pure)
	for _, tag := range tags {
		text += "Tag: py3-none-" + tag + "\n"
	}
	return text
}

// A wheelWriter writes the files of a wheel and the record of their hashes.
type wheelWriter struct {
	bytes  bytes.Buffer
	zip    *zip.Writer
	record string
	err    error
}

func (w *wheelWriter) add(name string, mode uint32, data []byte) {
	const regularFile = 0o100000
	header := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: epoch, CreatorVersion: 3 << 8} // 3 is Unix
	// installers keep the executable bit
	header.ExternalAttrs = (regularFile | mode) << 16
	f, err := w.zip.CreateHeader(header)
	if err == nil {
		_, err = f.Write(data)
	}
	if err != nil && w.err == nil {
		w.err = err
	}
	sum := sha256.Sum256(data)
	w.record += fmt.Sprintf("%s,sha256=%s,%d\n", name, base64.RawURLEncoding.EncodeToString(sum[:]), len(data))
}

// finish writes the record, into the folder with the metadata.
func (w *wheelWriter) finish(info string) error {
	w.record += info + "RECORD,,\n"
	w.add(info+"RECORD", 0o644, []byte(w.record))
	if w.err != nil {
		return w.err
	}
	return w.zip.Close()
}

var semantic = regexp.MustCompile(`^(\d+\.\d+\.\d+)(?:-(alpha|beta|rc|next)\.?(\d*))?$`)

// pythonVersion is a semantic version as PEP 440 spells it: 1.2.3-rc.1 is 1.2.3rc1, a snapshot (-next) is 1.2.3.dev0.
func pythonVersion(version string) (string, error) {
	m := semantic.FindStringSubmatch(version)
	if m == nil {
		return "", fmt.Errorf("version %q: expected 1.2.3, or 1.2.3 with -alpha.N, -beta.N, -rc.N or -next", version)
	}
	if m[2] == "" {
		return m[1], nil
	}
	return m[1] + map[string]string{"alpha": "a", "beta": "b", "rc": "rc", "next": ".dev"}[m[2]] + cmp.Or(m[3], "0"),
		nil
}
