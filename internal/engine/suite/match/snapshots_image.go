package match

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/picture"
)

// ImageDir is the directory for the images in the snapshots of a suite.
func ImageDir(suite string) string { return suite + ".snapshots" }

// matchImage compares an image with the stored one. The file of the image is named, or made from the key.
func (s *Snapshots) matchImage(key, file string, data []byte, got *picture.Picture, least float64) error {
	if s == nil {
		return errors.New("no file for the snapshot was named")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	path, stored, err := s.image(key, file, got.Format)
	switch {
	case err != nil:
		return err
	case stored == nil && s.store.Mode == ReadOnly:
		return &Mismatch{Got: imageText(got), Want: "snapshot missing: run the test outside CI and commit " + path}
	case stored == nil:
		s.Written++
		return s.store.Write(path, data)
	}
	want, err := picture.Decode(stored)
	if err != nil {
		return fmt.Errorf("snapshot %s: %w; delete it, or restore it from the repository", path, err)
	}
	why := unlike(got, want, least)
	if why != nil && s.store.Mode == UpdateAll {
		s.Written++
		return s.store.Write(path, data)
	}
	if why != nil {
		return fmt.Errorf("%w, as in %s (run with --update-snapshots to accept the change)", why, path)
	}
	return nil
}

// image reads the stored image of a key; nil if there is none. An image of another format is found, too.
func (s *Snapshots) image(key, file, format string) (path string, stored []byte, err error) {
	suite := strings.TrimSuffix(s.path, SnapshotPath(""))
	if file != "" {
		if path = file; !filepath.IsAbs(file) {
			path = filepath.Join(filepath.Dir(suite), file)
		}
		stored, err = s.store.Read(path)
		return path, stored, unlessMissing(err)
	}
	base := filepath.Join(ImageDir(suite), imageName(key)+".")
	for _, f := range []string{"png", "jpeg", "gif"} {
		stored, err = s.store.Read(base + f)
		if err == nil || unlessMissing(err) != nil {
			return base + f, stored, err
		}
	}
	return base + format, nil, nil
}

func unlessMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

var notInNames = regexp.MustCompile(`[^A-Za-z0-9]+`)

// imageName is a file name for a key: readable, and different for every key.
func imageName(key string) string {
	sum := sha256.Sum256([]byte(key))
	readable := strings.Trim(notInNames.ReplaceAllString(key, "-"), "-")
	return fmt.Sprintf("%s-%x", readable[:min(len(readable), 60)], sum[:4])
}

// unlike describes how an image differs from the stored one; nil if they are similar enough.
func unlike(got, want *picture.Picture, least float64) error {
	if got.Width() != want.Width() || got.Height() != want.Height() {
		return &Mismatch{Got: imageText(got), Want: imageText(want)}
	}
	d := picture.Compare(got, want)
	if d.Similarity >= least {
		return nil
	}
	a := d.Area
	return &Mismatch{Got: fmt.Sprintf("similarity %s; %d of %d pixels differ, from %d,%d to %d,%d",
		atMost(d.Similarity), d.Pixels, got.Width()*got.Height(), a.Min.X, a.Min.Y, a.Max.X-1, a.Max.Y-1),
		Want: fmt.Sprintf("similarity of at least %v", least)}
}

// atMost is a similarity, rounded down: it must not look like the required one.
func atMost(similarity float64) string { return fmt.Sprintf("%.4f", max(similarity-0.00005, -1)) }

func imageText(p *picture.Picture) string {
	return fmt.Sprintf("%s image, %d×%d pixels", strings.ToUpper(p.Format), p.Width(), p.Height())
}
