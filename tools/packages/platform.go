package main

import (
	"fmt"
	"strings"
)

// A platform is one that releases are built for, in the terms of Go, Node and Python.
type platform struct {
	target string   // GOOS/GOARCH
	os     string   // process.platform of Node
	cpu    string   // process.arch of Node
	tags   []string // platform tags of the wheel
}

// platforms lists all of them. The binaries are static, so one wheel serves glibc and musl. Go 1.26 requires macOS 12.
var platforms = []platform{
	{"linux/amd64", "linux", "x64", []string{"manylinux_2_17_x86_64", "manylinux2014_x86_64", "musllinux_1_1_x86_64"}},
	{"linux/arm64", "linux", "arm64", []string{"manylinux_2_17_aarch64", "manylinux2014_aarch64",
		"musllinux_1_1_aarch64"}},
	{"darwin/amd64", "darwin", "x64", []string{"macosx_12_0_x86_64"}},
	{"darwin/arm64", "darwin", "arm64", []string{"macosx_12_0_arm64"}},
	{"windows/amd64", "win32", "x64", []string{"win_amd64"}},
	{"windows/arm64", "win32", "arm64", []string{"win_arm64"}},
}

func platformOf(target string) (platform, error) {
	var known []string
	for _, p := range platforms {
		if p.target == target {
			return p, nil
		}
		known = append(known, p.target)
	}
	return platform{}, fmt.Errorf("unknown platform %q, expected one of %s", target, strings.Join(known, ", "))
}

// executable is the file name of the program.
func (p platform) executable() string {
	if p.os == "win32" {
		return "mcptest.exe"
	}
	return "mcptest"
}
