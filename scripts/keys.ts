import { ensureSigningKey } from '../server/src/flows/ensureSigningKey.ts'
import { listKeys, revokeKey, rotateKey } from '../server/src/flows/signingKeys.ts'
import type { Store } from '../server/src/store/store.ts'
import { withDatabase } from './lib/database.ts'
import { command, step, UsageError } from './lib/say.ts'
import { settingsHere } from './lib/settings.ts'

const USAGE = `The keys that sign the QR codes of tickets; a running server follows.
  npm run keys -- list         shows them
  npm run keys -- rotate       makes a new one for tickets sold from now on; earlier codes stay valid
  npm run keys -- revoke ID    signs an earlier key's tickets again, then refuses its codes`

const now = () => new Date()
const counted = (n: number, one: string) => `${n} ${one}${n === 1 ? '' : 's'}`
const WORDS = { signs: 'signs new tickets', valid: 'valid', revoked: 'revoked' } as const

async function list(store: Store): Promise<void> {
  const keys = await store.read(listKeys)
  for (const { kid, createdAt, state } of keys) console.log(`${kid}  made ${createdAt.toISOString()}  ${WORDS[state]}`)
  const valid = keys.filter(({ state }) => state !== 'revoked')
  console.log(`${counted(keys.length, 'signing key')}, ${valid.length} of them valid.`)
}

async function rotate(store: Store): Promise<void> {
  const kid = await step('Making a new signing key', () => rotateKey({ store, now }))
  console.log(`The signing key ${kid} signs new tickets from now on; codes with earlier keys stay valid.`)
}

async function revoke(store: Store, kid: string): Promise<void> {
  const signer = await ensureSigningKey({ store, now })
  const { signedAgain } = await step(`Signing the tickets of ${kid} again`, () =>
    revokeKey({ store, now, signer }, kid),
  )
  console.log(`The signing key ${kid} is revoked; ${counted(signedAgain, 'ticket')} signed again.`)
}

function chosen([verb, kid, ...rest]: readonly string[]): (store: Store) => Promise<void> {
  if (verb === 'revoke' && kid !== undefined && rest.length === 0) return (store) => revoke(store, kid)
  if (verb === 'list' && kid === undefined) return list
  if (verb === 'rotate' && kid === undefined) return rotate
  throw new UsageError(USAGE)
}

await command(async () => {
  const work = chosen(process.argv.slice(2))
  await withDatabase(settingsHere(), work)
})
