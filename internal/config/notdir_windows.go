package config

import "io/fs"

// errNotDirectory: Windows reports a file in place of a directory as a path that does not exist.
var errNotDirectory = fs.ErrNotExist
