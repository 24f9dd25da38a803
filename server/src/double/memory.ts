import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'
import type { Link } from './records.ts'

/** Rises when the records' form changes; records of an older form are dropped. */
const FORM = 2
const OWNER_ONLY = 0o600

interface Kept {
  form: number
  links: Link[]
}

/** The links of an earlier run; none without one, or if its file cannot be read. */
export function recall(file: string | undefined): Link[] {
  if (file === undefined || !existsSync(file)) return []
  try {
    const kept = deserialize(readFileSync(file)) as Kept
    return kept.form === FORM ? kept.links : []
  } catch {
    return []
  }
}

/** Writes the links with their payments and refunds, which reference each other. A crash leaves the earlier file. */
export function remember(file: string, links: Link[]): void {
  const kept: Kept = { form: FORM, links }
  writeFileSync(`${file}.new`, serialize(kept), { mode: OWNER_ONLY })
  renameSync(`${file}.new`, file)
}
