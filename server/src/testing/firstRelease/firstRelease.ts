import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Role } from '@garba/shared/contracts/names'
import { onTestFinished } from 'vitest'

/** The time of the evening at which the files were made; the recorded calls came right after. */
export const RECORDED_AT = '2025-09-22T14:00:00.000Z'

const unzip = (name: string): Buffer => gunzipSync(readFileSync(new URL(name, import.meta.url)))

/** A copy of the database of 1.0.0. Removed when the test ends. */
export function copyFirstDatabase(): string {
  const folder = mkdtempSync(join(tmpdir(), 'garba-first-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'garba.db')
  writeFileSync(file, unzip('garba.db.gz'))
  return file
}

export interface RecordedCall {
  as: Role | null
  method: string
  path: string
  headers?: Record<string, string>
  body?: unknown
  answer: { status: number; body: Record<string, unknown> }
}

/** Calls with the answers of 1.0.0, in the order in which they were made. */
export const readFirstCalls = (): RecordedCall[] => JSON.parse(unzip('calls.json.gz').toString())

interface DumpedStore {
  keyPath: string | null
  autoIncrement: boolean
  indexes: { name: string; keyPath: string | string[]; unique: boolean }[]
  rows: Record<string, unknown>[]
}
export interface DumpedPhone {
  localStorage: Record<string, string>
  databases: { name: string; version: number; stores: Record<string, DumpedStore> }[]
}

/** A paired scanner of that evening with rows to send, and a guest's wallet. */
export const readFirstPhone = (): DumpedPhone => JSON.parse(unzip('phone.json.gz').toString())
