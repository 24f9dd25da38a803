import { spawn, spawnSync } from 'node:child_process'
import { createReadStream, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Random } from '../dice.ts'

/** The system's own recorder of a program's calls (Linux). */
const RECORDER = 'strace'
const CALLS = 'pwrite64,fdatasync,fsync,ftruncate'
/** Longer than any page or header that SQLite writes at once. */
const TEXT_MAX = 70_000

export const canRecord = (): boolean => spawnSync(RECORDER, ['-f', '-o', '/dev/null', 'true']).status === 0

/** Runs a program; each of its writes and syncs is in the file, with its bytes and its time. */
export const recorded = (file: string, program: string, args: readonly string[], env: Record<string, string>) =>
  spawn(
    RECORDER,
    ['-f', '-y', '-ttt', '-xx', '-s', String(TEXT_MAX), '-e', `trace=${CALLS}`, '-o', file, program, ...args],
    { env },
  )

export type DiskCall =
  | { type: 'write'; file: string; at: number; bytes: Buffer; offset: number }
  | { type: 'cut'; file: string; at: number; length: number }
  | { type: 'sync'; file: string; at: number }

const LINE = /^\d+ +(\d+\.\d+) (\w+)\(\d+<([^>]+)>(?:, "((?:\\x[\da-f]{2})*)", \d+, (\d+)|, (\d+))?/
const RESUMED = /^(\d+) +(\d+\.\d+) <\.\.\. (\w+) resumed>/

const bytesOf = (hex: string): Buffer => Buffer.from(hex.replaceAll('\\x', ''), 'hex')

/** The calls about these files, in their order. A sync counts when it has returned. Times are in ms. */
export async function readCalls(record: string, isOurs: (file: string) => boolean): Promise<DiskCall[]> {
  const calls: DiskCall[] = []
  const syncing = new Map<string, string>()
  for await (const line of createInterface({ input: createReadStream(record) })) {
    const over = RESUMED.exec(line)
    if (over) {
      const [, pid = '', at = '', name = ''] = over
      const file = syncing.get(pid)
      if (file !== undefined && name.endsWith('sync')) calls.push({ type: 'sync', file, at: Number(at) * 1_000 })
      syncing.delete(pid)
      continue
    }
    const found = LINE.exec(line)
    if (!found) continue
    const [, time = '', name = '', path = '', hex, offset, length] = found
    const file = bytesOf(path).toString()
    if (!isOurs(file)) continue
    const at = Number(time) * 1_000
    if (name === 'pwrite64' && hex !== undefined)
      calls.push({ type: 'write', file, at, bytes: bytesOf(hex), offset: Number(offset) })
    else if (name === 'ftruncate') calls.push({ type: 'cut', file, at, length: Number(length) })
    else if (line.includes('<unfinished')) syncing.set(line.split(' ', 1)[0] ?? '', file)
    else if (name.endsWith('sync')) calls.push({ type: 'sync', file, at })
  }
  return calls
}

/** A disk's smallest unit: it is written whole or not at all. */
const SECTOR = 512

/** A disk holds everything that was synced, and what was written since. */
export class Disk {
  #kept = new Map<string, Buffer>()
  #waiting: Exclude<DiskCall, { type: 'sync' }>[] = []

  constructor(files: ReadonlyMap<string, Buffer>) {
    this.#kept = new Map(files)
  }

  take(call: DiskCall): void {
    if (call.type !== 'sync') return void this.#waiting.push(call)
    for (const one of this.#waiting) if (one.file === call.file) apply(this.#kept, one)
    this.#waiting = this.#waiting.filter(({ file }) => file !== call.file)
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** The files as a power cut may leave them: of what was not synced, any part in any order, and torn within a page. */
  afterCut(random: Random): Map<string, Buffer> {
    const files = new Map([...this.#kept].map(([file, bytes]) => [file, Buffer.from(bytes)]))
    const mood = random()
    const places = new Map(this.#waiting.map((call) => [call, random()]))
    const left = this.#waiting
      .filter(() => (mood < 0.2 ? false : mood < 0.4 ? true : random() < 0.5))
      .toSorted((a, b) => (mood < 0.7 ? 0 : (places.get(a) ?? 0) - (places.get(b) ?? 0)))
    for (const call of left) apply(files, random() < 0.3 ? torn(call, random) : call)
    return files
  }
}

type Change = Exclude<DiskCall, { type: 'sync' }>

function torn(call: Change, random: Random): Change {
  if (call.type !== 'write' || call.bytes.length <= SECTOR) return call
  const sectors = 1 + Math.floor(random() * (call.bytes.length / SECTOR - 1))
  return { ...call, bytes: call.bytes.subarray(0, sectors * SECTOR) }
}

function apply(files: Map<string, Buffer>, call: Change): void {
  const before = files.get(call.file) ?? Buffer.alloc(0)
  if (call.type === 'cut') {
    const next = Buffer.alloc(call.length)
    before.copy(next, 0, 0, call.length)
    files.set(call.file, next)
    return
  }
  const end = call.offset + call.bytes.length
  const next = end > before.length ? Buffer.concat([before, Buffer.alloc(end - before.length)]) : before
  call.bytes.copy(next, call.offset)
  files.set(call.file, next)
}

export const contentsOf = (files: readonly string[]): Map<string, Buffer> =>
  new Map(files.map((file) => [file, readFileSync(file)]))
