import { DOCTOR } from '@garba/shared/messages/doctor'
import type { Settings } from '../config.ts'
import { openToRead, readSchemaAge } from '../store/engine/open.ts'
import { closing } from '../store/engine/store.ts'
import { asTyped } from '../version.ts'
import { buildFailure, buildOk, type Check, formatErrorReason } from './check.ts'
import {
  checkDisk,
  checkVersion,
  databaseFile,
  getDatabaseFolder,
  insideDatabase,
  olderDatabase,
  postgresAnswers,
  settingsCheck,
} from './inside.ts'
import {
  checkCertificate,
  checkClock,
  checkMail,
  checkPayments,
  checkSignIn,
  checkTakeover,
  OUTSIDE,
  type Outside,
  publicAddress,
} from './outside.ts'

/**
 * Checks everything an evening needs, and changes nothing. It takes about as long as the
 * slowest server it asks, at most ten seconds. Never throws.
 */
export async function runDoctor(settings: Settings, outside: Outside = OUTSIDE): Promise<Check[]> {
  const remote = Promise.all([
    publicAddress(settings),
    checkCertificate(settings),
    checkSignIn(settings, outside),
    checkClock(outside),
    checkMail(settings),
    checkPayments(settings),
  ])
  const database = await databaseChecks(settings)
  const found = await remote
  const checks = [
    settingsCheck(settings),
    ...found.filter((check) => check !== null),
    checkDisk(getDatabaseFolder(settings)),
    ...database,
    checkVersion(settings),
  ]
  return checks.map((check) => (check.cure === undefined ? check : { ...check, cure: asTyped(check.cure) }))
}

async function databaseChecks(settings: Settings): Promise<Check[]> {
  const onFile = settings.databaseUrl === null
  const first = onFile ? databaseFile(settings) : null
  if (first && first.status !== 'ok') return [first]
  try {
    const age = await readSchemaAge(settings)
    if (age === 'empty') return [first ?? buildOk(DOCTOR.database.name, DOCTOR.database.absent)]
    if (age !== 'same') return [olderDatabase()]
    await using store = closing(await openToRead(settings))
    const inside = await store.read((tx) => insideDatabase(tx, { settings, now: new Date() }))
    return [first ?? postgresAnswers(settings), await checkTakeover(settings, store), ...inside]
  } catch (error) {
    return [buildFailure(DOCTOR.database.name, error instanceof Error ? error.message : formatErrorReason(error))]
  }
}
