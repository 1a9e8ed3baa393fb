#!/usr/bin/env bash
# install.sh VERSION DIR puts the binary of a release into DIR, after it has compared its checksum. VERSION is "latest" or
# a version such as 1.2.3. The action and the pre-commit hook use it. It needs curl, and tar or unzip.
set -euo pipefail

version=${1#v}
dir=$2
# MCPTEST_RELEASES names a mirror with the same layout.
releases=${MCPTEST_RELEASES:-https://github.com/mcptest-dev/mcptest/releases}

fail() {
	printf 'install mcptest: %s\n' "$1" >&2
	[ -z "${2:-}" ] || printf 'hint: %s\n' "$2" >&2
	exit 1
}

case "$(uname -s)" in
Linux) os=linux ;;
Darwin) os=darwin ;;
MINGW* | MSYS* | CYGWIN*) os=windows ;;
*) fail "no binary for $(uname -s): expected Linux, macOS or Windows" ;;
esac
case "$(uname -m)" in
x86_64 | amd64) arch=amd64 ;;
aarch64 | arm64) arch=arm64 ;;
*) fail "no binary for $(uname -m): expected x86_64 or arm64" ;;
esac
suffix=tar.gz program=mcptest
if [ "$os" = windows ]; then
	suffix=zip program=mcptest.exe
fi

if [ "$version" = latest ]; then
	folder=$releases/latest/download
else
	folder=$releases/download/v$version
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# download NAME
download() {
	curl --fail --silent --show-error --location --retry 3 --max-time 300 --output "$work/$1" "$folder/$1" ||
		fail "cannot download $folder/$1" "check that release $version exists"
}

# The list of checksums names the archive, and so the version that "latest" is.
download checksums.txt
read -r expected archive < <(grep -E "^[0-9a-f]{64}  mcptest_[^_ ]+_${os}_$arch\.$suffix\$" "$work/checksums.txt") ||
	fail "release $version has no archive for $os/$arch"
download "$archive"
if command -v sha256sum >/dev/null; then
	read -r actual _ < <(sha256sum "$work/$archive")
else
	read -r actual _ < <(shasum -a 256 "$work/$archive")
fi
actual=${actual#\\} # sha256sum marks escaped paths, which Windows has
[ "$actual" = "$expected" ] || fail "$archive: expected SHA-256 $expected, got $actual"

case "$suffix" in
zip) unzip -q "$work/$archive" "$program" -d "$work" ;;
*) tar -xzf "$work/$archive" -C "$work" "$program" ;;
esac
mkdir -p "$dir"
mv -f "$work/$program" "$dir/$program.$$"
chmod +x "$dir/$program.$$"
mv -f "$dir/$program.$$" "$dir/$program" # a program that runs at the same time sees all of it or nothing
