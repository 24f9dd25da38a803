import { posix } from 'node:path'
import { ROOM_NAMES, type RoomName } from './names.ts'
import { type Found, factsOf } from './parse.ts'
import { ROOMS } from './table.ts'

export interface Source {
  /** The path from the root of the repository, with forward slashes. */
  readonly path: string
  readonly source: string
}

/** A longer file usually answers more than one question. */
export const MAX_LINES = 450

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
