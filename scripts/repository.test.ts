import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, test } from 'vitest'
import { SETTING_NAMES } from '../server/src/config.ts'
import { COMMAND_NAMES } from './lib/commands.mjs'
import { listRepoFiles } from './lib/files.ts'
import { ROOT, runNpm } from './setup.mjs'

// In pieces, so that this file does not contain what it forbids.
const HOSTS = new RegExp(
  String.raw`https?://[\w.-]*(${['regis' + 'try', 'npm' + 'mirror', 'arti' + 'factory', 'verd' + 'accio', 'ne' + 'xus'].join('|')})`,
  'i',
)
const BINARY = /\.(png|ico|jpe?g|webp|gif|woff2?|wasm|db|gz)$/

test('no file names a package host, so that a lock file made behind a mirror works everywhere', () => {
  const offenders = listRepoFiles().filter(
    (path) => !BINARY.test(path) && HOSTS.test(readFileSync(join(ROOT, path), 'utf8')),
  )
  expect(offenders).toEqual([])
})

test('operations.md lists every setting, and nothing else as one, and every command', () => {
  const text = readFileSync(join(ROOT, 'shared', 'docs', 'operations.md'), 'utf8')
  const [, settings = '', , commands = ''] = text.split(/^## \d.*$/m)
  const first = settings.split('\n').map((line) => line.split('|')[1] ?? '')
  expect(first.flatMap((cell) => cell.match(/[A-Z_]{4,}/g) ?? []).sort()).toEqual([...SETTING_NAMES].sort())
  const typed = COMMAND_NAMES.map((name) => `npm ${['start', 'test'].includes(name) ? '' : 'run '}${name}`)
  expect(typed.filter((line) => !commands.includes(`\`${line}\``))).toEqual([])
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

const ALLOWED = new Set([
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0'],
  // Fonts, data, and files that are used unchanged.
  ...['CC-BY-4.0', 'CC0-1.0', 'MPL-2.0', 'OFL-1.1', 'Python-2.0', 'Unlicense', 'Zlib'],
])

/** Packages whose manifest names no licence, with the licence in their files or in the package that brings them. */
const BY_HAND: readonly (readonly [RegExp, string])[] = [
  [/^png-js$/, 'MIT'],
  [/^@rollup\/rollup-/, 'MIT'],
  [/^@biomejs\/cli-/, 'MIT OR Apache-2.0'],
  [/^(client|server|shared)$/, 'MIT'],
]

interface ListedPackage {
  name: string
  licenses?: { license?: { id?: string }; expression?: string }[]
}

function findLicence({ name, licenses: [first] = [] }: ListedPackage): string {
  return first?.expression ?? first?.license?.id ?? BY_HAND.find(([names]) => names.test(name))?.[1] ?? 'none'
}

/** With alternative licences one must be allowed; with licences that apply together, all of them. */
const isAllowed = (licence: string): boolean =>
  licence
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((part) => ALLOWED.has(part)))

test('every licence is on the list of allowed ones', () => {
  const { stdout } = runNpm(['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  const { components } = JSON.parse(String(stdout)) as { components: ListedPackage[] }
  expect(components.length).toBeGreaterThan(100)
  expect(components.filter((one) => !isAllowed(findLicence(one))).map(({ name }) => name)).toEqual([])
})

test('every package of the manifests has its reason in dependencies.md, and no other has', () => {
  const document = readFileSync(join(ROOT, 'shared', 'docs', 'dependencies.md'), 'utf8')
  for (const [title, folder] of Object.entries({ Root: '', Client: 'client', Server: 'server', Shared: 'shared' })) {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(
      readFileSync(join(ROOT, folder, 'package.json'), 'utf8'),
    ) as { dependencies?: Record<string, string>; devDependencies?: Record<string, string> }
    const section = document.split(`## ${title}\n`)[1]?.split('\n## ')[0] ?? ''
    const named = [...section.matchAll(/^- `([^`]+)`: [A-Z].+\.$/gm)].map(([, name]) => name)
    expect(named.toSorted()).toEqual(Object.keys({ ...dependencies, ...devDependencies }).toSorted())
  }
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
  const broken = listRepoFiles()
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
  const open = listRepoFiles()
    .filter((path) => path.endsWith('.md'))
    .flatMap((path) =>
      withoutCode(readFileSync(join(ROOT, path), 'utf8'))
        .split(/\n\s*\n|\n(?=- )/)
        .flatMap((paragraph) => /\[[^[\]]*(?:\[|$)/.exec(paragraph)?.[0] ?? [])
        .map((rest) => `${path}: ${rest}`),
    )
  expect(open).toEqual([])
})

/** Components and tables have a file each, however many there are. */
const WIDE = /^(client\/src\/kit|server\/src\/store|scripts(\/(commands|lib))?|shared\/src\/(contracts|rules))$/
const OUTSIDE = /\.(test|spec|bench|shots)\.|\.d\.m?ts$|config\.ts$|\/(testing|e2e|engines|bench)\//

test('a file of the product has at most 450 lines, and a folder at most 14 of them', () => {
  const code = listRepoFiles().filter((path) => /\.(ts|tsx|mjs)$/.test(path) && !OUTSIDE.test(path))
  const long = code.filter((path) => readFileSync(join(ROOT, path), 'utf8').split('\n').length > 451)
  expect(long).toEqual([])
  const folders = Map.groupBy(code, (path) => posix.dirname(path))
  const wide = [...folders].filter(([folder, { length }]) => length > 14 && !WIDE.test(folder))
  expect(wide.map(([folder, { length }]) => `${folder} has ${length} files`)).toEqual([])
})
