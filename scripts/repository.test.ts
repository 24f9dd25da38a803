import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, test } from 'vitest'
import { SETTING_NAMES } from '../server/src/config.ts'
import { COMMAND_NAMES, usageOf } from './lib/commands.mjs'
import { filesOf } from './lib/files.ts'
import { PARTS, type Packages, packagesFor, ROOT } from './setup.mjs'
import { runScript } from './testing/runScript.ts'

// In pieces, so that this file does not contain what it forbids.
const HOSTS = new RegExp(
  String.raw`https?://[\w.-]*(${['regis' + 'try', 'npm' + 'mirror', 'arti' + 'factory', 'verd' + 'accio', 'ne' + 'xus'].join('|')})`,
  'i',
)
const BINARY = /\.(png|ico|jpe?g|webp|gif|woff2?|wasm|db|gz)$/

test('no file names a package host, so that a lock file made behind a mirror works everywhere', () => {
  const offenders = filesOf().filter((path) => !BINARY.test(path) && HOSTS.test(readFileSync(join(ROOT, path), 'utf8')))
  expect(offenders).toEqual([])
})

test('operations.md lists every setting, and nothing else as one, every command and every storm', () => {
  const text = readFileSync(join(ROOT, 'shared', 'docs', 'operations.md'), 'utf8')
  const [, settings = '', , commands = ''] = text.split(/^## \d.*$/m)
  const first = settings.split('\n').map((line) => line.split('|')[1] ?? '')
  expect(first.flatMap((cell) => cell.match(/[A-Z_]{4,}/g) ?? []).sort()).toEqual([...SETTING_NAMES].sort())
  const storms = usageOf('storm')?.match(/npm run storm -- \w+/g) ?? []
  const typed = [
    ...COMMAND_NAMES.map((name) => `npm ${['start', 'test'].includes(name) ? '' : 'run '}${name}`),
    ...storms,
  ]
  expect(typed.filter((one) => !commands.includes(`| \`${one}`))).toEqual([])
})

test('the lock file holds no download addresses', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { resolved?: string; link?: boolean }>
  }
  const resolved = Object.entries(packages).filter(([, entry]) => entry.resolved !== undefined && entry.link !== true)
  expect(resolved).toEqual([])
})

test('the lock file has an entry for every optional package it names, without which npm ci fails', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { optionalDependencies?: Record<string, string> }>
  }
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !foldersAbove(path).some((folder) => `${folder}${name}` in packages),
    ),
  )
  expect(missing).toEqual([])
})

/** The places where Node looks for a package, nearest first. */
function foldersAbove(path: string): string[] {
  const parts = path.split('/node_modules/')
  const nested = parts.map((_, index) => `${parts.slice(0, parts.length - index).join('/node_modules/')}/node_modules/`)
  return [...nested, 'node_modules/'].map((folder) => folder.replace(/^\//, ''))
}

test('every licence is on the list of allowed ones', () => {
  expect(runScript('sbom', ['--licences'], {})).toEqual({
    status: 0,
    stdout: expect.stringMatching(/^Licences of \d{3,4} packages, all allowed: MIT/),
    stderr: '',
    output: expect.any(String),
  })
})

test('every package of the manifests has its reason in dependencies.md, and no other has', () => {
  const document = readFileSync(join(ROOT, 'shared', 'docs', 'dependencies.md'), 'utf8')
  for (const [title, folder] of Object.entries({ Root: '', Client: 'client', Server: 'server', Shared: 'shared' })) {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(
      readFileSync(join(ROOT, folder, 'package.json'), 'utf8'),
    ) as { dependencies?: Record<string, string>; devDependencies?: Record<string, string> }
    const section = document.split(`## ${title}\n`)[1]?.split('\n## ')[0] ?? ''
    const named = [...section.matchAll(/^\| `([^`]+)` +\| [A-Z].+\. +\|$/gm)].map(([, name]) => name)
    expect(named.toSorted()).toEqual(Object.keys({ ...dependencies, ...devDependencies }).toSorted())
  }
})

test('of large packages the parts that are in use are installed, and npm start installs half of all packages', () => {
  const [forStart, forTests] = [false, true].map((tools) => packagesFor({ tools }).lock.packages)
  for (const packages of [forStart, forTests])
    for (const [name, parts] of Object.entries(PARTS)) {
      const named = Object.keys(packages?.[`node_modules/${name}`]?.dependencies ?? {})
      expect(named.toSorted()).toEqual([...parts].toSorted())
    }
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Packages['lock']
  const count = (some: object | undefined) => Object.keys(some ?? {}).length
  expect(count(forStart) * 2).toBeLessThan(count(packages) * 1.05)
  expect(count(forTests)).toBeLessThan(count(packages) * 0.7)
})

/** The anchors of a document's headings, as GitHub makes them. */
const anchorsOf = (path: string): Set<string> =>
  new Set(
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )

test('every link between the documents leads to a file, and to a heading where it names one', () => {
  const broken = filesOf()
    .filter((path) => path.endsWith('.md'))
    .flatMap((path) =>
      [...readFileSync(join(ROOT, path), 'utf8').matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
        .filter(([, to = '', anchor]) => {
          const target = to === '' ? path : posix.join(posix.dirname(path), to)
          return !existsSync(join(ROOT, target)) || (anchor !== undefined && !anchorsOf(target).has(anchor))
        })
        .map(([link]) => `${path}: ${link}`),
    )
  expect(broken).toEqual([])
})

test('every bracket of the documents is closed within its paragraph', () => {
  const withoutCode = (text: string) => text.replaceAll(/```.*?```|`[^`]*`/gs, '')
  const open = filesOf()
    .filter((path) => path.endsWith('.md'))
    .flatMap((path) =>
      withoutCode(readFileSync(join(ROOT, path), 'utf8'))
        .split(/\n\s*\n|\n(?=- )/)
        .flatMap((paragraph) => /\[[^[\]]*(?:\[|$)/.exec(paragraph)?.[0] ?? [])
        .map((rest) => `${path}: ${rest}`),
    )
  expect(open).toEqual([])
})
