import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'rolldown/utils'
import { beforeAll, expect, test } from 'vitest'
import { builtVersion } from '../../../server/src/version.ts'
import { CLIENT_DIST, ensureClient } from '../../lib/client.ts'
import { sourceVersion } from '../../lib/files.ts'

beforeAll(() => ensureClient())

const scripts = () =>
  readdirSync(join(CLIENT_DIST, 'assets'))
    .filter((name) => name.endsWith('.js'))
    .map((name) => ({ name, text: readFileSync(join(CLIENT_DIST, 'assets', name), 'utf8') }))

test('a build started by a test runner is a production build, without development code of React', () => {
  const development = scripts().filter(({ text }) => text.includes('react.dev/link/react-devtools'))
  expect(development.map(({ name }) => name)).toEqual([])
})

test('scanner, desk and server have the version of these sources', () => {
  const version = sourceVersion()
  expect(builtVersion(CLIENT_DIST)).toBe(version)
  const withVersion = scripts().filter(({ text }) => text.includes(version))
  expect(withVersion.length).toBeGreaterThan(0)
  expect(scripts().filter(({ text }) => text.includes('APP_VERSION'))).toEqual([])
})

test('both shells register their service worker', () => {
  const all = scripts().map(({ text }) => text)
  for (const worker of ['/sw-guest.js', '/sw-scanner.js'])
    expect(all.filter((text) => text.includes(worker)).length).toBeGreaterThan(0)
})

/** The entry to the desk. Only admins and managers load what it imports. */
const DESK_ENTRY = /^DeskDashboard-/
const DESK_SCREEN = /^desk-desk-|^(Admin|Manager)Home-|^(Users|Tickets|Audit|Analytics|Evening)View-|^EventManager-/
/** Texts and the chart library that only the desk's screens use. */
const DESK_ONLY = [
  'Either all tickets change or none do.',
  'Takes effect right away. Tickets stay as they are.',
  'It will appear on the landing page at once, with tickets on sale.',
  'There is no event yet. Create one to open the landing page and ticket sales.',
  'One ticket, two people let in. Both are counted as people; the first scan holds the ticket.',
  'Every sale, scan and change will be listed here.',
  'recharts-wrapper',
]

const isDesk = ({ name, text }: { name: string; text: string }) =>
  DESK_ENTRY.test(name) || DESK_SCREEN.test(name) || DESK_ONLY.some((words) => text.includes(words))
const deskScripts = () =>
  scripts()
    .filter(isDesk)
    .map(({ name }) => name)

test('the desk has separate scripts, which hold its texts', () => {
  const all = scripts()
  for (const words of DESK_ONLY) expect(all.filter(({ text }) => text.includes(words)).length, words).toBeGreaterThan(0)
  expect(deskScripts().length).toBeGreaterThan(8)
})

test('no worker precaches a desk script', () => {
  for (const worker of ['sw-guest.js', 'sw-scanner.js']) {
    const text = readFileSync(join(CLIENT_DIST, worker), 'utf8')
    expect(text).toContain('assets/')
    expect(
      deskScripts().filter((name) => text.includes(name)),
      worker,
    ).toEqual([])
  }
})

test('site and scanner import desk scripts only through the desk entry', () => {
  const desk = new Set(deskScripts())
  const texts = new Map(scripts().map(({ name, text }) => [name, text]))
  for (const page of ['index.html', 'scanner.html']) {
    const html = readFileSync(join(CLIENT_DIST, page), 'utf8')
    const reached = new Set([...html.matchAll(/assets\/([\w.-]+\.js)/g)].map(([, name]) => String(name)))
    expect(reached.size, page).toBeGreaterThan(0)
    for (const name of reached)
      for (const next of importedBy(name, texts.get(name) ?? '')) if (!DESK_ENTRY.test(next)) reached.add(next)
    expect(
      [...reached].filter((name) => desk.has(name)),
      page,
    ).toEqual([])
  }
})

/** Names of the scripts that a built script imports, statically or lazily. */
function importedBy(name: string, text: string): string[] {
  const { staticImports, staticExports, dynamicImports } = parseSync(name, text).module
  return [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? [])),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
  ]
    .filter((path) => path.startsWith('./'))
    .map((path) => path.slice('./'.length))
}
