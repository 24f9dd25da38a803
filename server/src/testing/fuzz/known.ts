import { DAY_MS } from '@garba/shared/constants'
/** What requests can reuse from earlier ones. Tickets are kept whole, so one pick gives id and code of the same ticket. */
export type KnownKind =
  | 'ticketId'
  | 'qrCode'
  | 'scanId'
  | 'userId'
  | 'conflictId'
  | 'eventId'
  | 'imageHash'
  | 'saleKey'
  | 'deviceId'
  | 'idToken'
  | 'orderCode'
  | 'cashSessionId'
  | 'pairedDeviceId'
  | 'pairingCode'
  | 'cancelledId'
  | 'linkId'
  | 'linkToken'

/** Parts of a plan that are filled in when the request is sent. A plan is pure data, so a seed reproduces it. */
export type Reference =
  /** `spoil` changes one character, which makes a code almost right. */
  { $known: KnownKind; pick: number; spoil?: number } | { $inMs: number } | { $inDays: number }

const KINDS: readonly KnownKind[] = [
  'scanId',
  'userId',
  'conflictId',
  'eventId',
  'imageHash',
  'saleKey',
  'deviceId',
  'idToken',
  'orderCode',
  'cashSessionId',
  'pairedDeviceId',
  'pairingCode',
  'cancelledId',
  'linkId',
  'linkToken',
]
/** The pick that selects the newest one. */
export const NEWEST_PICK = 0
/** Half of the picks are among the newest, because rules interact when things happen twice to one ticket. */
const NEWEST = 12

export interface Known {
  /** Keeps the values in a response or a sent body. */
  learn: (value: unknown) => void
  keep: (kind: KnownKind, value: string) => void
  /** The value with its references filled in. */
  filled: (value: unknown, now: Date) => unknown
}

export function makeKnown(): Known {
  const tickets: { id: string; code: string }[] = []
  const seen = new Set<string>()
  const others = new Map<KnownKind, string[]>(KINDS.map((kind) => [kind, []]))

  const keep = (kind: KnownKind, value: string) => {
    const list = others.get(kind)
    if (!list || seen.has(`${kind} ${value}`)) return
    seen.add(`${kind} ${value}`)
    list.push(value)
  }

  /** A new code of a known group would only crowd out the tickets. */
  const keepGroup = (code: string, ids: readonly string[]) => {
    if (seen.has(ids.join())) return
    seen.add(ids.join())
    for (const id of ids) tickets.push({ id, code })
  }

  const learn = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(learn)
    if (!isRecord(value)) return
    const { _id, qrCode, scanId, deviceId, eventImage, role, id, first, second, totalTickets } = value
    const { code, unitPrice, float, rights, url } = value
    if (typeof _id === 'string' && typeof qrCode === 'string' && !seen.has(_id)) {
      seen.add(_id)
      tickets.push({ id: _id, code: qrCode })
    }
    if (typeof _id === 'string' && value.status === 'cancelled') keep('cancelledId', _id)
    if (typeof qrCode === 'string' && Array.isArray(value.ticketIds)) keepGroup(qrCode, value.ticketIds.map(String))
    if (typeof scanId === 'string') keep('scanId', scanId)
    if (typeof deviceId === 'string') keep('deviceId', deviceId)
    if (typeof eventImage === 'string' && eventImage.startsWith('/api/')) keep('imageHash', lastPart(eventImage))
    if (typeof _id === 'string' && typeof role === 'string') keep('userId', _id)
    if (typeof _id === 'string' && typeof totalTickets === 'number') keep('eventId', _id)
    if (typeof id === 'string' && first && second) keep('conflictId', id)
    if (typeof code === 'string' && typeof unitPrice === 'number') keep('orderCode', code)
    if (typeof id === 'string' && typeof float === 'number') keep('cashSessionId', id)
    if (typeof id === 'string' && Array.isArray(rights)) keep('pairedDeviceId', id)
    if (typeof code === 'string' && typeof url === 'string') keep('pairingCode', code)
    if (typeof id === 'string' && typeof url === 'string' && url.includes('#')) {
      keep('linkId', id)
      keep('linkToken', url.slice(url.indexOf('#') + 1))
    }
    Object.values(value).forEach(learn)
  }

  const pickOf = <T>(list: readonly T[], pick: number): T | undefined =>
    pick % 2 === 0 ? list.at(-1 - ((pick >> 1) % NEWEST)) : list[(pick >> 1) % Math.max(1, list.length)]

  const resolve = (reference: Reference, now: Date): string => {
    if ('$inMs' in reference) return new Date(now.getTime() + reference.$inMs).toISOString()
    if ('$inDays' in reference) return new Date(now.getTime() + reference.$inDays * DAY_MS).toISOString().slice(0, 10)
    const { $known, pick, spoil } = reference
    const ticket = pickOf(tickets, pick)
    const found =
      $known === 'ticketId' ? ticket?.id : $known === 'qrCode' ? ticket?.code : pickOf(others.get($known) ?? [], pick)
    const value = found ?? freshId(pick)
    return spoil === undefined ? value : spoiled(value, spoil)
  }

  const filled = (value: unknown, now: Date): unknown => {
    if (Array.isArray(value)) return value.map((item) => filled(item, now))
    if (!isRecord(value)) return value
    if ('$known' in value || '$inMs' in value || '$inDays' in value) return resolve(value as unknown as Reference, now)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, now)]))
  }

  return { learn, keep, filled }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Used while no value of a kind is known. A UUID is valid for a new scan or sale. */
const freshId = (pick: number) => `00000000-0000-4000-8000-${pick.toString(16).padStart(12, '0')}`

const lastPart = (path: string) => path.split('/').at(-1) ?? ''

function spoiled(text: string, at: number): string {
  const index = at % text.length
  return `${text.slice(0, index)}${text[index] === '7' ? '8' : '7'}${text.slice(index + 1)}`
}
