import { posix } from 'node:path'
import { parseSync } from 'rolldown/utils'
import { ROOM_NAMES, ROOMS, type RoomName } from './table.ts'

export interface Source {
  /** The path from the root of the repository, with forward slashes. */
  readonly path: string
  readonly source: string
}

/** A longer file usually answers more than one question. */
export const MAX_LINES = 450

/** A wider folder holds more than one room. */
const MAX_FILES = 14
/** Folders that are wide: components and tables without a limit, the others at most as wide as they are now. */
const WIDE: Readonly<Record<string, number>> = {
  'client/src/kit': Number.POSITIVE_INFINITY,
  'server/src/store': Number.POSITIVE_INFINITY,
  'shared/src/contracts': 18,
  'shared/src/rules': 21,
  scripts: 29,
  'scripts/lib': 23,
}
const PRODUCTION =
  /^(?!.*(?:\.(?:test|spec|bench|shots)\.|\.d\.m?ts$|config\.ts$|\/(?:testing|e2e|dom|engines|bench)\/)).*\.(?:ts|tsx|mjs)$/

/** Folders with more production files than they may have, as sentences. */
export function wideFolders(paths: readonly string[]): string[] {
  const folders = Map.groupBy(
    paths.filter((path) => PRODUCTION.test(path)),
    (path) => posix.dirname(path),
  )
  return [...folders].flatMap(([folder, { length }]) => {
    const most = WIDE[folder] ?? MAX_FILES
    return length > most ? [`${folder} has ${length} files; it may have ${most}`] : []
  })
}

/** A smaller file that only one other file imports belongs into that file. */
const SMALL_LINES = 60
/** Their names show where to look, however short they are. */
const SMALL_BY_DESIGN = /^server\/src\/http\/routes\/|\/texts\//

/**
 * Small files that could live in their one importer, as sentences. The importer must be in the same room and import it
 * at once; a file that is loaded lazily, starts a process or a worker, or has a test that imports it stays by itself.
 */
export function smallFiles(files: readonly Source[]): string[] {
  const importers = new Map<string, { path: string; lazy: boolean }[]>()
  for (const file of files)
    for (const { text, lazy = false } of factsOf(file).imports)
      for (const target of filesMeant(targetOf(file.path, text)))
        importers.set(target, [...(importers.get(target) ?? []), { path: file.path, lazy }])
  return files.flatMap((file) => {
    const users = importers.get(file.path) ?? []
    const [only] = users
    const { lines } = factsOf(file)
    if (!PRODUCTION.test(file.path) || SMALL_BY_DESIGN.test(file.path) || lines > SMALL_LINES) return []
    if (!only || users.some(({ path, lazy }) => lazy || path !== only.path)) return []
    if (roomOf(only.path) !== roomOf(file.path) || lines + linesOf(files, only.path) > MAX_LINES) return []
    return [`${file.path}:1 has ${lines} lines and one importer; move it into ${only.path}`]
  })
}

const linesOf = (files: readonly Source[], path: string): number =>
  files
    .find((file) => file.path === path)
    ?.source.trimEnd()
    .split('\n').length ?? 0

/** The files that an import without its exact ending may refer to. */
const filesMeant = (target: string | undefined): string[] =>
  target === undefined ? [] : [target, target.replace(/\.ts$/, '.tsx')]

/** Texts in shared that only one app uses, as sentences. They belong beside its screens. */
export function textsOfOneApp(files: readonly Source[]): string[] {
  const users = new Map<string, Set<string>>()
  for (const file of files)
    for (const { text } of factsOf(file).imports) {
      const target = targetOf(file.path, text)
      if (!target?.startsWith('shared/src/messages/') || !PRODUCTION.test(file.path)) continue
      users.set(target, (users.get(target) ?? new Set()).add(APP.exec(file.path)?.[0] ?? 'others'))
    }
  return [...users].flatMap(([path, apps]) => {
    const [app = ''] = apps
    return apps.size > 1 || !app.startsWith('client/') ? [] : [`${path}:1 is used by ${app} alone; move it there`]
  })
}

/**
 * Types, functions and constants with a name that the glossary gave up, as sentences. `glossary` is the text that lists
 * these names. Throws when it lists none.
 */
export function wordsGivenUp(files: readonly Source[], glossary: string): string[] {
  const list = /Names given up: (.+)\.\n/.exec(glossary)?.[1]
  if (list === undefined) throw new Error('The glossary lists no names that were given up.')
  const words = new Set(Array.from(list.matchAll(/`(\w+)`/g), ([, word]) => word))
  return files.flatMap((file) =>
    factsOf(file).declared.flatMap(({ line, text }) =>
      words.has(text) ? [`${file.path}:${line} the glossary gave up the name ${text}`] : [],
    ),
  )
}

const APP = /^client\/src\/(?:site|guest|desk|scanner)(?=\/)/

const PURE: readonly RoomName[] = ['constants', 'names', 'messages', 'contracts', 'rules', 'calls']
const MAY_OPEN_TRANSACTIONS: readonly RoomName[] = ['flows', 'serverTests', 'serverTesting', 'serverBench']

export const roomOf = (path: string): RoomName | undefined => ROOM_NAMES.find((name) => ROOMS[name].files.test(path))

/** 'zod/v4' -> 'zod', '@hono/node-server/serve-static' -> '@hono/node-server'. */
function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return 'node'
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

/** The path that an import within the repository points to, or undefined for a package. */
function targetOf(from: string, specifier: string): string | undefined {
  const bare = specifier.replace(/[?#].*$/, '')
  if (bare.startsWith('.')) return posix.normalize(posix.join(posix.dirname(from), bare))
  if (bare.startsWith('@garba/shared/')) return `shared/src/${bare.slice('@garba/shared/'.length)}.ts`
  if (bare.startsWith('@garba/')) return bare.slice('@garba/'.length)
  if (bare.startsWith('/')) return bare.slice(1)
  return undefined
}

function importProblem(from: { path: string; room: RoomName }, specifier: string): string | undefined {
  const room = ROOMS[from.room]
  const target = targetOf(from.path, specifier)
  if (target === undefined) {
    const name = packageOf(specifier)
    const allowed = room.packages.some((entry) => (entry.endsWith('/') ? name.startsWith(entry) : entry === name))
    return allowed ? undefined : `${from.room} may not import the package ${name}`
  }
  if (/(^|\/)package\.json$/.test(target)) return undefined
  const to = roomOf(target)
  if (to === undefined) return `${specifier} belongs to no room`
  return to === from.room || room.rooms.includes(to) ? undefined : `${from.room} may not import ${to} (${specifier})`
}

function problemsOf(file: Source, room: RoomName, facts: ReturnType<typeof factsOf>): string[] {
  const say = (found: Found, sentence: string) => `${file.path}:${found.line} ${sentence}`
  const problems = facts.imports.flatMap((found) => {
    const problem = importProblem({ path: file.path, room }, found.text)
    return problem === undefined ? [] : [say(found, problem)]
  })
  if (PURE.includes(room)) {
    for (const found of facts.impurities) problems.push(say(found, `${room} takes it as an argument: ${found.text}`))
  }
  if (file.path.startsWith('server/') && !MAY_OPEN_TRANSACTIONS.includes(room)) {
    for (const found of facts.transactions) problems.push(say(found, 'only flows open transactions'))
  }
  if (facts.lines > MAX_LINES) {
    problems.push(`${file.path}:1 has ${facts.lines} lines; a file has at most ${MAX_LINES}`)
  }
  return problems
}

/** Violations of the table of rooms: sentences that start with path and line. */
export function checkRooms(files: readonly Source[]): string[] {
  return files.flatMap((file) => {
    const room = roomOf(file.path)
    if (room === undefined) return [`${file.path}:1 belongs to no room of scripts/rooms/table.ts`]
    return problemsOf(file, room, factsOf(file))
  })
}

interface Found {
  /** The line number, counted from 1. */
  readonly line: number
  /** The imported path for imports; the called function for the rest. */
  readonly text: string
  /** Set for `import()`. */
  readonly lazy?: boolean
}

interface Facts {
  readonly imports: readonly Found[]
  /** Uses of the clock, randomness or network, which a rule must take as an argument. */
  readonly impurities: readonly Found[]
  /** Names of types, functions and constants. */
  readonly declared: readonly Found[]
  /** `.transaction(...)` and `store.write(...)` calls. */
  readonly transactions: readonly Found[]
  readonly lines: number
}

interface Node {
  readonly type: string
  readonly start: number
  readonly [key: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

const nameOf = (value: unknown) => (isNode(value) && value.type === 'Identifier' ? String(value.name) : undefined)

/** Imports, re-exports, `import()`, `import('x')` types, `new URL('x', import.meta.url)` and `require()` alike. */
function importedBy(node: Node): string | undefined {
  const literal = (value: unknown) =>
    isNode(value) && value.type === 'Literal' && typeof value.value === 'string' ? value.value : undefined
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return literal(node.source) ?? literal(node.argument)
    case 'TSExternalModuleReference':
      return literal(node.expression)
    case 'CallExpression':
      return nameOf(node.callee) === 'require' ? literal((node.arguments as unknown[])[0]) : undefined
    default:
      return undefined
  }
}

const DECLARATIONS = new Set([
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
  'FunctionDeclaration',
  'ClassDeclaration',
  'VariableDeclarator',
])
const IMPURE_MEMBERS = new Set(['Date.now', 'Math.random', 'performance.now', 'crypto.randomUUID'])
const IMPURE_CALLS = new Set(['fetch', 'Date', 'setTimeout', 'setInterval'])

function memberOf(value: unknown): string | undefined {
  if (!isNode(value) || value.type !== 'MemberExpression') return undefined
  const property = value.computed === true ? (value.property as Node).value : nameOf(value.property)
  const object = nameOf(value.object) ?? memberOf(value.object)
  return `${object ?? ''}.${String(property)}`.replace(/^(globalThis|window|self)\./, '')
}

function impurityOf(node: Node): string | undefined {
  if (node.type === 'NewExpression' && nameOf(node.callee) === 'Date') {
    return (node.arguments as unknown[]).length === 0 ? 'new Date()' : undefined
  }
  if (node.type === 'MemberExpression') {
    const member = memberOf(node) ?? ''
    return IMPURE_MEMBERS.has(member) ? member : undefined
  }
  if (node.type !== 'CallExpression') return undefined
  const callee = nameOf(node.callee) ?? memberOf(node.callee) ?? ''
  return IMPURE_CALLS.has(callee) ? `${callee}()` : undefined
}

function nodesOf(value: unknown, found: Node[] = []): Node[] {
  if (Array.isArray(value)) for (const item of value) nodesOf(item, found)
  else if (typeof value === 'object' && value !== null) {
    if (isNode(value)) found.push(value)
    for (const child of Object.values(value)) if (typeof child === 'object') nodesOf(child, found)
  }
  return found
}

const known = new WeakMap<Source, Facts>()

/** Lists what a TypeScript or JavaScript source imports and does. Throws if it cannot be parsed. */
function factsOf(file: Source): Facts {
  const facts = known.get(file) ?? readFacts(file)
  known.set(file, facts)
  return facts
}

function readFacts({ path, source }: Source): Facts {
  const result = parseSync(path, source)
  const error = result.errors[0]
  if (error) throw new Error(`${path} cannot be parsed: ${error.message}`)
  const imports: Found[] = []
  const impurities: Found[] = []
  const declared: Found[] = []
  const transactions: Found[] = []
  const at = (node: Node, text: string): Found => ({ line: source.slice(0, node.start).split('\n').length, text })
  for (const node of nodesOf(result.program)) {
    const imported = importedBy(node)
    if (imported !== undefined) imports.push({ ...at(node, imported), lazy: node.type === 'ImportExpression' })
    const name = DECLARATIONS.has(node.type) ? nameOf(node.id) : undefined
    if (name !== undefined) declared.push(at(node, name))
    const impurity = impurityOf(node)
    if (impurity !== undefined) impurities.push(at(node, impurity))
    if (node.type === 'CallExpression' && /\.transaction$|(^|\.)store\.write$/.test(memberOf(node.callee) ?? '')) {
      transactions.push(at(node, `${memberOf(node.callee)}()`))
    }
  }
  return { imports, impurities, declared, transactions, lines: source.trimEnd().split('\n').length }
}
