import { makeBackupKey } from '../../../server/src/backups/sealed.ts'
import { ensureSigningKey, listKeys, revokeKey, rotateKey } from '../../../server/src/flows/signingKeys.ts'
import type { Store } from '../../../server/src/store/engine/store.ts'
import { formatPlural, settingsHere, withDatabase } from '../../lib/database.ts'
import { runCommand, runTimedStep, UsageError } from '../../lib/say.ts'

const now = () => new Date()
const WORDS = { signs: 'signs new tickets', valid: 'valid', revoked: 'revoked' } as const

async function list(store: Store): Promise<void> {
  const keys = await store.read(listKeys)
  for (const { kid, createdAt, state } of keys) console.log(`${kid}  made ${createdAt.toISOString()}  ${WORDS[state]}`)
  const valid = keys.filter(({ state }) => state !== 'revoked')
  console.log(`${formatPlural(keys.length, 'signing key')}, ${valid.length} of them valid.`)
}

async function rotate(store: Store): Promise<void> {
  const kid = await runTimedStep('Making a new signing key', () => rotateKey({ store, now }))
  console.log(`The signing key ${kid} signs new tickets from now on; codes with earlier keys stay valid.`)
}

async function revoke(store: Store, kid: string): Promise<void> {
  const signer = await ensureSigningKey({ store, now })
  const { signedAgain } = await runTimedStep(`Signing the tickets of ${kid} again`, () =>
    revokeKey({ store, now, signer }, kid),
  )
  console.log(`The signing key ${kid} is revoked; ${formatPlural(signedAgain, 'ticket')} signed again.`)
}

/** Needs no database, so the secret half can be made away from the server, where it stays. */
async function backupKey(): Promise<void> {
  const { secret, publicKey } = await makeBackupKey()
  console.log(`The public key encrypts backups and cannot open them. On the server, put this line into its settings:

BACKUP_KEY=${publicKey}

The secret key opens them. Keep it away from the server, in two places, such as a password manager and a sheet of paper:

${secret}

It is not stored anywhere. Without it, nobody can ever open the backups. Backups made with an earlier key still need that key. To open
one with npm run restore or npm run drill, put BACKUP_KEY=AGE-SECRET-KEY-1... before the command.
`)
  console.log('A key pair for backups was made.')
}

function chosen([verb, kid, ...rest]: readonly string[]): (store: Store) => Promise<void> {
  if (verb === 'revoke' && kid !== undefined && rest.length === 0) return (store) => revoke(store, kid)
  if (verb === 'list' && kid === undefined) return list
  if (verb === 'rotate' && kid === undefined) return rotate
  throw new UsageError()
}

await runCommand('keys', async ({ words }) => {
  const [verb, ...rest] = words
  if (verb === 'backup' && rest.length === 0) return backupKey()
  const work = chosen(words)
  await withDatabase(settingsHere(), work)
})
