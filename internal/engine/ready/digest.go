package ready

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"path"
	"strings"
)

// maxBundle is the maximum size of a bundle whose digest is computed.
const maxBundle = 1 << 30

// digest compares fileSha256 of a bundle with the file of the same name in the folder.
func (r *run) digest(in *file, at string) {
	declared := in.text(at + "/fileSha256")
	actual := r.digestOf(bundleFile(in, at))
	if declared != "" && actual != "" && !strings.EqualFold(declared, actual) {
		r.found("REG-016", in, at+"/fileSha256", "%s in this folder has the digest %s", bundleFile(in, at), actual)
	}
}

// bundleFile is the name of the file that a package is.
func bundleFile(in *file, at string) string { return path.Base(in.text(at + "/identifier")) }

// digestOf returns the SHA-256 of a regular file of the folder; empty if there is none.
func (r *run) digestOf(name string) string {
	f, err := r.open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	hash := sha256.New()
	if n, err := io.Copy(hash, io.LimitReader(f, maxBundle+1)); err != nil || n > maxBundle {
		return ""
	}
	return hex.EncodeToString(hash.Sum(nil))
}
