import { DEVICE_CODES_MAX, DEVICE_DRAWN_MAX, DEVICE_DRAWN_MS } from '@garba/shared/constants'
import type { DeviceBlock } from '@garba/shared/contracts/phones/block'
import { BLOCK } from '@garba/shared/messages/gate'
import { toRupees } from '@garba/shared/rules/money'
import { Refusal, wrongField } from '../../refusal.ts'
import {
  blocksOfDevice,
  type CodeBlockRow,
  codesOf,
  drawnSince,
  endBlock,
  findBlock,
  leasedBlocks,
} from '../../store/codeBlocks.ts'
import { findPairedDevice, type PairedDeviceRow } from '../../store/devices.ts'
import type { ReadTx, WriteTx } from '../../store/engine/sql.ts'
import { aboutBlock, audited } from '../audited.ts'
import type { Deps, DeviceCaller } from '../deps.ts'
import { endOfDevice } from '../phones/authenticateDevice.ts'
import { regularly } from '../regularly.ts'
import { signIds } from '../tickets/issueTickets.ts'
import { allot, eventOfBlocks } from './blocks.ts'

async function viewOf(tx: ReadTx, block: CodeBlockRow): Promise<DeviceBlock> {
  const { id, eventId, leaseUntil, ticketPricePaise, groupPricePaise } = block
  const codes = (await codesOf(tx, id)).filter(({ state }) => state === 'allotted')
  return {
    id,
    eventId,
    leaseUntil: (leaseUntil ?? block.createdAt).toISOString(),
    price: toRupees(ticketPricePaise),
    groupPrice: groupPricePaise === null ? null : toRupees(groupPricePaise),
    codes: codes.map(({ ticketId, number, qrCode }) => ({ ticketId, number, qrCode })),
  }
}

/** The codes that a phone may still sell, oldest block first. */
export const deviceBlocks = ({ store }: Pick<Deps, 'store'>, { id }: DeviceCaller): Promise<DeviceBlock[]> =>
  store.read((tx) => blocksOf(tx, id))

const blocksOf = async (tx: ReadTx, deviceId: string): Promise<DeviceBlock[]> =>
  Array.fromAsync(await blocksOfDevice(tx, deviceId), (block) => viewOf(tx, block))

/**
 * Signs codes that a phone may sell offline until its lease ends. Their seats are taken at once. Refuses with
 * VALIDATION_FAILED for more than a phone may hold, CODES_DRAWN for more than it may draw in an evening, or as
 * `makeBlock`.
 */
export async function allotBlock(
  deps: Deps,
  { device, size }: { device: DeviceCaller; size: number },
): Promise<DeviceBlock> {
  const event = await deps.store.read((tx) => eventOfBlocks(deps, tx))
  const signed = await signIds(deps, { eventId: event.id, quantity: size, block: true })
  return deps.store.write(async (tx) => {
    const held = (await blocksOf(tx, device.id)).reduce((sum, { codes }) => sum + codes.length, 0)
    if (held + size > DEVICE_CODES_MAX) throw wrongField('size', BLOCK.sizeInPhone)
    const since = new Date(deps.now().getTime() - DEVICE_DRAWN_MS)
    const drawn = await drawnSince(tx, { eventId: event.id, deviceId: device.id, since })
    if (drawn + size > DEVICE_DRAWN_MAX) throw new Refusal('CODES_DRAWN', { mayDraw: DEVICE_DRAWN_MAX - drawn })
    const facts = {
      kind: 'device' as const,
      label: device.device.name,
      deviceId: device.id,
      leaseUntil: device.device.until,
      createdById: device.id,
      createdByName: device.name,
    }
    return viewOf(tx, await allot(deps, tx, { event, signed, facts }))
  })
}

/**
 * Takes back the rest of a phone's block. A phone sends its sales first: otherwise codes it has sold would be on sale
 * again. Returns the number of codes taken, 0 if that was done before. Refuses with BLOCK_NOT_FOUND.
 */
export const returnDeviceBlock = (deps: Deps, { device, id }: { device: DeviceCaller; id: string }): Promise<number> =>
  deps.store.write(async (tx) => {
    const block = await findBlock(tx, id)
    if (!block || block.deviceId !== device.id) throw new Refusal('BLOCK_NOT_FOUND')
    return block.endedAt === null ? end(deps, tx, block, { by: device, why: null }) : 0
  })

interface Ending {
  by: { id: string | null; name: string }
  /** The cause, for the audit row; null if `by` makes it clear. */
  why: string | null
}

async function end(deps: Deps, tx: WriteTx, block: CodeBlockRow, { by, why }: Ending): Promise<number> {
  const at = deps.now()
  const returned = await endBlock(tx, block, { at, byId: by.id })
  tx.announce('roster', 'evening')
  const detail = [why, BLOCK.left(returned)].filter(Boolean).join('; ')
  await audited(tx, { at, action: 'block.returned', actor: by, subject: aboutBlock(block), detail })
  return returned
}

const ROUND_MS = 60_000

/**
 * Takes back the blocks of phones whose time is over, each minute, until the server stops. Returns a function that
 * waits for the round in progress.
 */
export const keepBlocks = (deps: Deps): (() => Promise<void>) =>
  regularly(
    {
      work: () => endLeases(deps),
      everyMs: ROUND_MS,
      atStart: true,
      failed: 'blocks of codes could not be taken back',
    },
    deps,
  )

/** Takes back every block whose lease has ended, or whose phone was revoked or has lapsed. */
export async function endLeases(deps: Deps): Promise<void> {
  if ((await deps.store.read(leasedBlocks)).length === 0) return
  await deps.store.write(async (tx) => {
    const now = deps.now()
    for (const block of await leasedBlocks(tx))
      if (await isOver(tx, block, now)) await end(deps, tx, block, LEASE_ENDED)
  })
}

const LEASE_ENDED: Ending = { by: { id: null, name: BLOCK.leaseEnded }, why: null }

/** Takes back a phone's unsold codes at once, without waiting for the next round. */
export async function endBlocksOf(deps: Deps, tx: WriteTx, deviceId: string, ending = LEASE_ENDED): Promise<void> {
  for (const block of await blocksOfDevice(tx, deviceId)) await end(deps, tx, block, ending)
}

/**
 * Takes back the codes of a phone that another has replaced: it may have sold some offline, so the new phone must not
 * get them. Those sales still count if the old phone is paired as this device again.
 */
export const endBlocksOfReplaced = (deps: Deps, tx: WriteTx, { id, name }: PairedDeviceRow): Promise<void> =>
  endBlocksOf(deps, tx, id, { by: { id: null, name }, why: BLOCK.replaced })

async function isOver(tx: ReadTx, { leaseUntil, deviceId }: CodeBlockRow, now: Date): Promise<boolean> {
  if (leaseUntil !== null && leaseUntil <= now) return true
  const device = deviceId === null ? undefined : await findPairedDevice(tx, deviceId)
  return device === undefined || endOfDevice(device, now) !== null
}
