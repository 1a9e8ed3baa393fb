package ready

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
)

// maxUnpacked is the maximum size of all files of a bundle.
const maxUnpacked = 2 << 30

// Unpack writes the files of a bundle into an empty folder. It writes nothing if an entry is not safe.
func Unpack(bundle *zip.Reader, dir string) error {
	if wrong := unsafeEntries(bundle); len(wrong) > 0 {
		return errors.New(wrong[0])
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	left := int64(maxUnpacked)
	for _, entry := range bundle.File {
		if strings.HasSuffix(entry.Name, "/") {
			err = root.MkdirAll(path.Clean(entry.Name), 0o700)
		} else {
			err = unpackFile(root, entry, &left)
		}
		if err != nil {
			return fmt.Errorf("unpack %q: %w", entry.Name, err)
		}
	}
	return nil
}

// unpackFile writes one file. What its header says about its size is not trusted.
func unpackFile(root *os.Root, entry *zip.File, left *int64) error {
	if err := root.MkdirAll(path.Dir(entry.Name), 0o700); err != nil {
		return err
	}
	from, err := entry.Open()
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := root.OpenFile(entry.Name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, entry.Mode().Perm()&0o700|0o600)
	if err != nil {
		return err
	}
	n, err := io.Copy(to, io.LimitReader(from, *left+1))
	if *left -= n; *left < 0 {
		err = fmt.Errorf("the bundle is larger than %d MB", maxUnpacked>>20)
	}
	return errors.Join(err, to.Close())
}

// unsafeEntries describes the entries of a bundle that must not be unpacked.
func unsafeEntries(bundle *zip.Reader) (wrong []string) {
	seen := map[string]bool{}
	size := uint64(0)
	for _, entry := range bundle.File {
		name := strings.TrimSuffix(entry.Name, "/")
		mode := entry.Mode()
		size += entry.UncompressedSize64
		switch {
		case !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, "\\:\x00"):
			wrong = append(wrong, fmt.Sprintf("the path %q leaves the folder of the bundle, or is not portable", entry.Name))
		case mode&fs.ModeSymlink != 0:
			wrong = append(wrong, fmt.Sprintf("%q is a link", entry.Name))
		case !mode.IsRegular() && !mode.IsDir():
			wrong = append(wrong, fmt.Sprintf("%q is not a file", entry.Name))
		case seen[strings.ToLower(name)] && !mode.IsDir():
			wrong = append(wrong, fmt.Sprintf("%q is there twice, or differs from another path only in its case", entry.Name))
		}
		seen[strings.ToLower(name)] = true
	}
	if size > maxUnpacked {
		wrong = append(wrong, fmt.Sprintf("the files have more than %d MB", maxUnpacked>>20))
	}
	if len(bundle.File) > maxFiles {
		wrong = append(wrong, fmt.Sprintf("the bundle has more than %d files", maxFiles))
	}
	return wrong
}
