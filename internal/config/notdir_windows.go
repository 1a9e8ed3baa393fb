package config

import "io/fs"

// errNotDirectory: Windows reports a file in the place of a directory as a path that does not exist.
var errNotDirectory = fs.ErrNotExist
