import { decodeQr, makeKeyPair, readQr } from '@garba/shared/rules/qr'
import { type KeyPair, makeSigner, type QrSigner } from '../identity/signer.ts'
import { allBlockCodes, replaceBlockCode } from '../store/codeBlocks.ts'
import { newId, type ReadTx, type WriteTx } from '../store/engine/sql.ts'
import { nextRevision } from '../store/meta.ts'
import { replaceCode, ticketCodes } from '../store/newCodes.ts'
import { allSigningKeys, insertSigningKey, revokeSigningKey, signingKeysMark } from '../store/signingKeys.ts'
import type { TicketCode } from '../store/tickets.ts'
import { auditChange } from './audited.ts'
import type { Deps } from './deps.ts'

/** A key cannot be revoked. The message is one sentence for the person at the terminal. */
export class KeyRefused extends Error {
  override name = 'KeyRefused'
}

export interface ListedKey {
  kid: string
  createdAt: Date
  state: 'signs' | 'valid' | 'revoked'
}

export async function listKeys(tx: ReadTx): Promise<ListedKey[]> {
  const rows = await allSigningKeys(tx)
  const newest = rows.at(-1)?.kid
  return rows.map(({ kid, createdAt, revokedAt }) => ({
    kid,
    createdAt,
    state: revokedAt !== null ? 'revoked' : kid === newest ? 'signs' : 'valid',
  }))
}

export async function rotateKey({ store, now }: Pick<Deps, 'store' | 'now'>): Promise<string> {
  const fresh = await makeKeyPair()
  return store.write(async (tx) => {
    const newest = (await allSigningKeys(tx)).at(-1)
    // The newest key signs, so this key must be the newest even after the clock was set back.
    const createdAt = new Date(Math.max(now().getTime(), (newest?.createdAt.getTime() ?? 0) + 1))
    const kid = newId(createdAt)
    await insertSigningKey(tx, { kid, ...fresh, createdAt, revokedAt: null })
    await auditKeyChange(tx, { at: now(), action: 'keys.rotated', kid, detail: '' })
    return kid
  })
}

/**
 * Revokes a key. Tickets and codes of blocks that depend on it are signed again first; after that its codes are
 * forgeries. Signing is asynchronous, so it happens before the transaction, and again for tickets sold in between.
 * Returns how many tickets got a new code. Throws KeyRefused.
 */
export async function revokeKey(
  { store, now, signer }: Pick<Deps, 'store' | 'now' | 'signer'>,
  kid: string,
): Promise<{ signedAgain: number }> {
  await store.read((tx) => requireRevocable(tx, kid))
  /** Each ticket's code with its replacement, or null if the code is also valid with another key. */
  const judged = new Map<string, string | null>()
  const signAgain = async ({ id, eventId, qrCode }: TicketCode): Promise<string | null> => {
    const keys = (await signer.publicKeys(eventId)).filter((key) => key.kid !== kid)
    const { type } = await readQr({ text: qrCode, keys, eventId })
    if (type === 'genuine') return null
    return signer.sign({ ticketId: id, eventId, ...(decodeQr(qrCode)?.block ? { block: true } : {}) })
  }
  for (;;) {
    for (const ticket of await store.read(async (tx) => [...(await ticketCodes(tx)), ...(await allBlockCodes(tx))]))
      if (!judged.has(ticket.qrCode)) judged.set(ticket.qrCode, await signAgain(ticket))
    const signedAgain = await store.write((tx) => revokeJudged(tx, { kid, judged, at: now() }))
    if (signedAgain !== null) return { signedAgain }
  }
}

/** Returns null, and changes nothing, when a ticket is missing from `judged`. */
async function revokeJudged(
  tx: WriteTx,
  { kid, judged, at }: { kid: string; judged: ReadonlyMap<string, string | null>; at: Date },
): Promise<number | null> {
  await requireRevocable(tx, kid)
  const [codes, inBlocks] = [await ticketCodes(tx), await allBlockCodes(tx)]
  if ([...codes, ...inBlocks].some(({ qrCode }) => !judged.has(qrCode))) return null
  let signedAgain = 0
  for (const { id, qrCode } of codes) {
    const code = judged.get(qrCode)
    if (typeof code !== 'string') continue
    await replaceCode(tx, id, { qrCode: code, updatedAt: at })
    signedAgain += 1
  }
  for (const { id, qrCode } of inBlocks) {
    const code = judged.get(qrCode)
    if (typeof code === 'string') await replaceBlockCode(tx, id, code)
  }
  await revokeSigningKey(tx, kid, at)
  await auditKeyChange(tx, { at, action: 'keys.revoked', kid, detail: `Tickets signed again: ${signedAgain}` })
  return signedAgain
}

async function requireRevocable(tx: ReadTx, kid: string): Promise<void> {
  const key = (await listKeys(tx)).find((listed) => listed.kid === kid)
  if (!key) throw new KeyRefused(`There is no signing key ${kid}: npm run keys -- list shows them.`)
  if (key.state === 'revoked') throw new KeyRefused(`The signing key ${kid} is already revoked.`)
  if (key.state === 'signs')
    throw new KeyRefused(`The signing key ${kid} signs new tickets: make another first with npm run keys -- rotate.`)
}

/** The new revision makes live views and scanners refresh, which brings them the keys. */
async function auditKeyChange(
  tx: WriteTx,
  { at, action, kid, detail }: { at: Date; action: 'keys.rotated' | 'keys.revoked'; kid: string; detail: string },
): Promise<void> {
  await nextRevision(tx)
  const subject = { id: kid, name: `Signing key ${kid}` }
  await auditChange(tx, { at, action, actor: { id: null, name: 'npm run keys' }, subject, detail })
}

/**
 * The signer for this database's tickets, with its current keys. The first pair is created at the first start and
 * stored in the database.
 */
export async function ensureSigningKey({ store, now }: Pick<Deps, 'store' | 'now'>): Promise<QrSigner> {
  if ((await store.read(allSigningKeys)).length === 0) {
    const fresh = await makeKeyPair()
    await store.write(async (tx) => {
      const createdAt = now()
      // Another server may have been faster.
      if ((await allSigningKeys(tx)).length > 0) return
      await insertSigningKey(tx, { kid: newId(createdAt), ...fresh, createdAt, revokedAt: null })
    })
  }
  let known: { mark: string; pairs: readonly KeyPair[] } | null = null
  const pairsNow = () =>
    store.read(async (tx) => {
      const mark = await signingKeysMark(tx)
      if (known?.mark !== mark) known = { mark, pairs: await allSigningKeys(tx) }
      return known.pairs
    })
  return makeSigner(pairsNow)
}
