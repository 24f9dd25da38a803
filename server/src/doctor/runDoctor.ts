import { DOCTOR } from '@garba/shared/messages/doctor'
import type { Settings } from '../config.ts'
import { openToRead, schemaAgeOf } from '../store/engine/open.ts'
import { closing } from '../store/engine/store.ts'
import { asTyped } from '../version.ts'
import { type Check, failure, whyOf } from './check.ts'
import {
  databaseFile,
  disk,
  diskSync,
  folderOf,
  insideDatabase,
  olderDatabase,
  postgresAnswers,
  settingsCheck,
  version,
} from './inside.ts'
import {
  certificate,
  clock,
  mail,
  mailLink,
  OUTSIDE,
  type Outside,
  payments,
  publicAddress,
  signIn,
} from './outside.ts'

/**
 * Checks everything an evening needs, and changes nothing but a small temporary file. It takes about as long as the
 * slowest server it asks, at most ten seconds. Never throws.
 */
export async function runDoctor(settings: Settings, outside: Outside = OUTSIDE): Promise<Check[]> {
  const remote = Promise.all([
    publicAddress(settings),
    certificate(settings),
    signIn(settings, outside),
    mailLink(settings, outside),
    clock(outside),
    mail(settings),
    payments(settings),
  ])
  const database = await databaseChecks(settings)
  const folder = folderOf(settings)
  const found = await remote
  const checks = [
    settingsCheck(settings),
    ...found.filter((check) => check !== null),
    disk(folder),
    diskSync(folder),
    ...database,
    version(settings),
  ]
  return checks.map((check) => (check.cure === undefined ? check : { ...check, cure: asTyped(check.cure) }))
}

async function databaseChecks(settings: Settings): Promise<Check[]> {
  const onFile = settings.databaseUrl === null
  const first = onFile ? databaseFile(settings) : null
  if (first && first.status !== 'ok') return [first]
  try {
    const age = await schemaAgeOf(settings)
    if (age === 'empty') return first ? [first] : []
    if (age !== 'same') return [olderDatabase()]
    await using store = closing(await openToRead(settings))
    const inside = await store.read((tx) => insideDatabase(tx, { settings, now: new Date() }))
    return [first ?? postgresAnswers(settings), ...inside]
  } catch (error) {
    return [failure(DOCTOR.database.name, error instanceof Error ? error.message : whyOf(error))]
  }
}
