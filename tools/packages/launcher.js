#!/usr/bin/env node
// Runs the mcptest binary of this platform, which npm installs as an optional dependency of this package. The binary has
// the terminal and the pipes of this process; signals are passed on to it, and its exit status is the exit status.
'use strict'

const { spawn } = require('node:child_process')
const path = require('node:path')
const { name, version, optionalDependencies } = require('../package.json')

const platform = `${process.platform}-${process.arch}`
const dependency = `${name}-${platform}`

// A shell uses these statuses for a command that it does not find or cannot run. mcptest uses neither.
const NOT_FOUND = 127
const NOT_EXECUTABLE = 126

function fail(status, ...lines) {
  process.stderr.write(lines.join('\n') + '\n')
  process.exit(status)
}

function findBinary() {
  if (!(dependency in optionalDependencies)) {
    const known = Object.keys(optionalDependencies).map((key) => key.slice(name.length + 1))
    fail(NOT_FOUND, `mcptest: no binary for ${platform}: expected one of ${known.join(', ')}`)
  }
  let manifest
  try {
    manifest = require.resolve(`${dependency}/package.json`)
  } catch {
    fail(NOT_FOUND,
      `mcptest: package ${dependency} is not installed: it contains the binary for this platform`,
      'hint: npm skips it with --omit=optional, and if package-lock.json or node_modules is from another platform;',
      `hint: delete both and install again, or run: npm install ${dependency}@${version}`)
  }
  return path.join(path.dirname(manifest), 'bin', process.platform === 'win32' ? 'mcptest.exe' : 'mcptest')
}

const binary = findBinary()
let child

// Ctrl+C on Windows reaches all programs of the console, and child.kill would terminate the binary at once. Elsewhere a
// signal may be for this process alone; the binary counts repetitions within a moment as one.
const passOn = (signal) => process.platform === 'win32' || child.kill(signal)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2']) {
  process.on(signal, passOn)
}

child = spawn(binary, process.argv.slice(2), { stdio: 'inherit' })
child.on('error', (error) => {
  fail(error.code === 'ENOENT' ? NOT_FOUND : NOT_EXECUTABLE, `mcptest: cannot run ${binary}: ${error.message}`)
})
child.on('exit', (status, signal) => {
  if (signal === null) {
    process.exit(status)
  }
  process.removeAllListeners(signal)
  process.kill(process.pid, signal) // so that the caller sees the same end
})
