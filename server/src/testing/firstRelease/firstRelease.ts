import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'

const bytes = (name: string) => readFileSync(new URL(name, import.meta.url))
const unzipped = (name: string) => gunzipSync(bytes(name))

/** A copy of the first release's database file. Removed when the test ends. */
export function databaseOfFirstRelease(): string {
  const folder = mkdtempSync(join(tmpdir(), 'garba-first-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'garba.db')
  writeFileSync(file, unzipped('garba.db.gz'))
  return file
}

export interface RecordedCall {
  at: string
  /** Who made it: a role, or null for a call without a token. */
  as: string | null
  method: string
  path: string
  headers: Record<string, string>
  body?: unknown
  answer: { status: number; type: string; body: unknown }
}

export const callsOfFirstRelease = (): RecordedCall[] => JSON.parse(unzipped('calls.json.gz').toString())

type Json = Record<string, unknown>
interface Operation {
  operationId: string
  responses: Record<string, { content?: Record<string, { schema?: Json }> }>
}
interface OldDocument {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: { Failure: Json } }
}
export const apiOfFirstRelease = (): OldDocument => JSON.parse(unzipped('openapi.json.gz').toString())

interface DumpedStore {
  keyPath: string | null
  autoIncrement: boolean
  indexes: { name: string; keyPath: string; unique: boolean }[]
  /** Given where the rows do not hold their keys. */
  keys?: string[]
  rows: Json[]
}
export interface DumpedPhone {
  savedAt: string
  localStorage: Record<string, string>
  databases: { name: string; version: number; stores: Record<string, DumpedStore> }[]
}
export const phonesOfFirstRelease = (): { scanner: DumpedPhone; guest: DumpedPhone } =>
  JSON.parse(bytes('phones.json').toString())
