import type { CallInput } from '@garba/shared/calls/calls'
import {
  DEVICE_CODES_MAX,
  DEVICE_DRAWN_MAX,
  DEVICE_DRAWN_MS,
  MINUTE_MS,
  UNPROVEN_TICKETS_MAX,
} from '@garba/shared/constants'
import type { DeviceBlock } from '@garba/shared/contracts/phones/block'
import type { TicketTypeOffer } from '@garba/shared/contracts/types/ticketType'
import { BLOCK } from '@garba/shared/messages/gate'
import { toRupees } from '@garba/shared/rules/money'
import { hasSeveralTypes } from '@garba/shared/rules/types/ticketTypes'
import { Refusal, wrongField } from '../../refusal.ts'
import {
  blocksInPhones,
  blocksOfDevice,
  type CodeBlockRow,
  drawnSince,
  endBlock,
  findBlock,
  listBlockCodes,
} from '../../store/codeBlocks.ts'
import type { PairedDeviceRow } from '../../store/devices.ts'
import type { ReadTx, WriteTx } from '../../store/engine/sql.ts'
import { findEvent, getEventFor } from '../../store/events.ts'
import { countUnlooked } from '../../store/unproven.ts'
import { aboutBlock, auditChange } from '../audited.ts'
import type { Deps, DeviceCaller, PairedPhone } from '../deps.ts'
import { buildOffers } from '../event/ticketTypes.ts'
import { endOfDevice, readPhone } from '../phones/authenticateDevice.ts'
import { runRegularly } from '../regularly.ts'
import { signIds } from '../tickets/issueTickets.ts'
import { allotCodes, eventOfBlocks, typeOfBlock } from './blocks.ts'

async function buildDeviceBlock(tx: ReadTx, block: CodeBlockRow, { until }: PairedPhone): Promise<DeviceBlock> {
  const { id, eventId, ticketPricePaise, groupPricePaise } = block
  const event = await getEventFor(tx, block)
  const codes = (await listBlockCodes(tx, id)).filter(({ state }) => state === 'allotted')
  return {
    id,
    eventId,
    leaseUntil: until?.toISOString() ?? null,
    ...typeOfBlock(block, event),
    price: toRupees(ticketPricePaise),
    groupPrice: groupPricePaise === null ? null : toRupees(groupPricePaise),
    codes: codes.map(({ ticketId, number, qrCode }) => ({ ticketId, number, qrCode })),
  }
}

interface PhoneStock {
  blocks: DeviceBlock[]
  types?: TicketTypeOffer[]
  cashlessLeft: number
}

export const deviceBlocks = (deps: Deps, { device }: DeviceCaller): Promise<PhoneStock> =>
  deps.store.read(async (tx) => {
    const event = await findEvent(tx)
    return {
      blocks: await buildDeviceBlocks(tx, device),
      ...(event && hasSeveralTypes(event) && { types: await buildOffers(deps, tx, event, { byHand: true }) }),
      cashlessLeft: Math.max(0, UNPROVEN_TICKETS_MAX - (await countUnlooked(tx, device.id))),
    }
  })

const buildDeviceBlocks = async (tx: ReadTx, device: PairedPhone): Promise<DeviceBlock[]> =>
  Array.fromAsync(await blocksOfDevice(tx, device.id), (block) => buildDeviceBlock(tx, block, device))

/** Signs codes that a phone may sell offline until it ends. Their seats are taken at once. */
export async function allotBlock(
  deps: Deps,
  { device, size, type: typeId }: CallInput<'allotBlock'> & { device: DeviceCaller },
): Promise<DeviceBlock> {
  const event = await deps.store.read((tx) => eventOfBlocks(deps, tx))
  const signed = await signIds(deps, { eventId: event.id, quantity: size, block: true })
  return deps.store.write(async (tx) => {
    const held = (await buildDeviceBlocks(tx, device.device)).reduce((sum, { codes }) => sum + codes.length, 0)
    if (held + size > DEVICE_CODES_MAX) throw wrongField('size', BLOCK.sizeInPhone)
    const since = new Date(deps.now().getTime() - DEVICE_DRAWN_MS)
    const drawn = await drawnSince(tx, { eventId: event.id, deviceId: device.id, since })
    if (drawn + size > DEVICE_DRAWN_MAX) throw new Refusal('CODES_DRAWN', { mayDraw: DEVICE_DRAWN_MAX - drawn })
    const facts = {
      kind: 'device' as const,
      label: device.device.name,
      deviceId: device.id,
      createdById: device.id,
      createdByName: device.name,
    }
    return buildDeviceBlock(tx, await allotCodes(deps, tx, { event, signed, facts, typeId }), device.device)
  })
}

/**
 * Takes back the rest of a phone's block. The phone sends its sales first: otherwise codes it has sold would be on sale
 * again. Returns the number of codes taken, 0 if that was done before.
 */
export const returnDeviceBlock = (deps: Deps, { device, id }: { device: DeviceCaller; id: string }): Promise<number> =>
  deps.store.write(async (tx) => {
    const block = await findBlock(tx, id)
    if (!block || block.deviceId !== device.id) throw new Refusal('BLOCK_NOT_FOUND')
    return block.endedAt === null ? end(deps, tx, block, { by: device, why: null }) : 0
  })

interface BlockEnd {
  by: { id: string | null; name: string }
  why: string | null
}

async function end(deps: Deps, tx: WriteTx, block: CodeBlockRow, { by, why }: BlockEnd): Promise<number> {
  const at = deps.now()
  const returned = await endBlock(tx, block, { at, byId: by.id })
  tx.announceChanges('roster', 'evening')
  const detail = [why, BLOCK.left(returned)].filter(Boolean).join('; ')
  await auditChange(tx, { at, action: 'block.returned', actor: by, subject: aboutBlock(block), detail })
  return returned
}

const ROUND_MS = MINUTE_MS

/** Takes back the blocks of ended phones each minute. The returned function waits for the round in progress. */
export const startLeaseRounds = (deps: Deps): (() => Promise<void>) =>
  runRegularly(
    {
      work: () => endLeases(deps),
      everyMs: ROUND_MS,
      atStart: true,
      failed: 'blocks of codes could not be taken back',
    },
    deps,
  )

export async function endLeases(deps: Deps): Promise<void> {
  if ((await deps.store.read(blocksInPhones)).length === 0) return
  await deps.store.write(async (tx) => {
    for (const block of await blocksInPhones(tx))
      if (await isOver(deps, tx, block)) await end(deps, tx, block, LEASE_ENDED)
  })
}

const LEASE_ENDED: BlockEnd = { by: { id: null, name: BLOCK.leaseEnded }, why: null }

export async function endDeviceBlocks(deps: Deps, tx: WriteTx, deviceId: string, ending = LEASE_ENDED): Promise<void> {
  for (const block of await blocksOfDevice(tx, deviceId)) await end(deps, tx, block, ending)
}

/**
 * Takes back the codes of a phone that another has replaced: it may have sold some offline, so the new phone must not
 * get them. Those sales still count if the old phone is paired as this device again.
 */
export const endBlocksOfReplaced = (deps: Deps, tx: WriteTx, { id, name }: PairedDeviceRow): Promise<void> =>
  endDeviceBlocks(deps, tx, id, { by: { id: null, name }, why: BLOCK.replaced })

async function isOver(deps: Deps, tx: ReadTx, { deviceId }: CodeBlockRow): Promise<boolean> {
  const device = deviceId === null ? undefined : await readPhone(deps, tx, deviceId)
  return device === undefined || endOfDevice(device, deps.now()) !== null
}
