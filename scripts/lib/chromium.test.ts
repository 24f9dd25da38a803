import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { byApt } from './chromium.ts'

let folder: string
const calls = () => readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n')

/** Stands in for apt-get, because tests install nothing: it knows `chromium` once the lists are up to date. */
const APT = `#!/bin/sh
cd "$(dirname "$0")"
echo "$*" >> calls
case "$*" in
  *update) touch lists ;;
  *"-y chromium") test -e lists ;;
  *) echo "E: Unable to locate package" >&2; exit 100 ;;
esac
`

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'garba-apt-'))
  writeFileSync(join(folder, 'apt-get'), APT)
  chmodSync(join(folder, 'apt-get'), 0o755)
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`)
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

test('packages are installed one by one, after an update where the lists are old; what fails is reported', async () => {
  const said = vi.spyOn(console, 'log').mockImplementation(() => {})
  await byApt(['chromium', 'chromium-headless-shell'])
  expect(calls()).toEqual([
    '-q install -y chromium',
    '-q update',
    '-q install -y chromium',
    '-q install -y chromium-headless-shell',
    '-q update',
    '-q install -y chromium-headless-shell',
  ])
  expect(said.mock.calls.flat()).toEqual([
    'Installing chromium and chromium-headless-shell (apt-get) ...',
    '  apt-get install chromium-headless-shell failed: E: Unable to locate package',
    expect.stringMatching(/^Installing chromium and chromium-headless-shell \(apt-get\): done in \d+\.\d s$/),
  ])
})
