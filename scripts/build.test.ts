import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { CLIENT_DIST, ensureClient } from './lib/client.ts'

beforeAll(() => ensureClient())

const scripts = () =>
  readdirSync(join(CLIENT_DIST, 'assets'))
    .filter((name) => name.endsWith('.js'))
    .map((name) => ({ name, text: readFileSync(join(CLIENT_DIST, 'assets', name), 'utf8') }))

test('a build started by a test runner is the one that people get: no development code of React in it', () => {
  const development = scripts().filter(({ text }) => text.includes('react.dev/link/react-devtools'))
  expect(development.map(({ name }) => name)).toEqual([])
})

test('both shells register their service worker', () => {
  const all = scripts().map(({ text }) => text)
  for (const worker of ['/sw-guest.js', '/sw-scanner.js'])
    expect(all.filter((text) => text.includes(worker)).length).toBeGreaterThan(0)
})
