#!/usr/bin/env bash
# Runs mcptest as a hook of pre-commit; see .pre-commit-hooks.yaml. pre-commit has checked out a release of this
# repository. The first run downloads the binary of that release into the checkout; no toolchain is needed.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
bin=$root/.release/pre-commit

# release prints the version whose tag is the commit of the checkout. A shallow clone has no tags: the origin has them.
release() (
	# shellcheck disable=SC2046  # a list of names. Git sets them for hooks, and they mean the user's repository.
	unset $(git rev-parse --local-env-vars)
	commit=$(git -C "$root" rev-parse HEAD)
	git -C "$root" ls-remote --tags origin 'v*' | sed -n "s|^$commit[[:space:]]*refs/tags/v\([^^]*\).*|\1|p" | head -n 1
)

if [ ! -x "$bin/mcptest" ] && [ ! -x "$bin/mcptest.exe" ]; then
	version=$(release)
	if [ -z "$version" ]; then
		echo 'mcptest: this commit is not a release' >&2
		echo 'hint: set rev in .pre-commit-config.yaml to a tag, such as v1.2.3' >&2
		exit 1
	fi
	"$root/.github/actions/mcptest/install.sh" "$version" "$bin"
fi
exec "$bin/mcptest" "$@"
