import type { CashSession } from '@garba/shared/contracts/money/cash'
import type { BodyOf } from '../../platform/http/call.ts'
import { networkFailure } from '../../platform/http/failure.ts'
import type { CashMeta, SaleRow } from '../../platform/store/scannerSchema.ts'
import { hasPhoneRight, pairingNow } from '../core/pairing.ts'
import { keepCash, readSelling } from '../store/sales.ts'
import { scannerCall } from './connection.ts'
import { isShiftKnown } from './pairing.ts'

function drawerNow(): Pick<CashMeta, 'key' | 'deviceId' | 'person'> | null {
  const paired = pairingNow()
  return paired && { key: 'cash', deviceId: paired.device.id, person: paired.shift?.name ?? paired.device.name }
}

/** An answer counts for the person who was on shift when the phone asked; the server learns of a new shift from the phone. */
async function keep(drawer: ReturnType<typeof drawerNow>, session: CashSession | null): Promise<void> {
  if (drawer !== null) await keepCash({ ...drawer, session })
}

/** Never throws. */
export async function refreshCash(): Promise<void> {
  const drawer = drawerNow()
  // The server would answer for the previous shift.
  if (drawer === null || !hasPhoneRight('sell') || pairingNow()?.shift?.sent === false) return
  try {
    await keep(drawer, (await scannerCall('cashSessions', {})).own)
  } catch (error) {
    console.info('The cash session was not refreshed', error)
  }
}

/** The server has made a cash sale: the drawer holds its money at once, even if the network fails before the next refresh. */
export async function addToDrawer({ method, total }: SaleRow): Promise<void> {
  if (method !== 'cash') return
  const session = findCashSession((await readSelling()).cash)
  if (session) await keep(drawerNow(), { ...session, expected: session.expected + total })
}

/** Throws ApiFailure, or StorageFailure. */
export async function openCash(float: number): Promise<void> {
  if (!(await isShiftKnown())) throw networkFailure()
  const drawer = drawerNow()
  await keep(drawer, (await scannerCall('openCashSession', { body: { float } })).session)
}

/** Resolves to the closed session with its difference. Throws ApiFailure, or StorageFailure. */
export async function closeCash(id: string, counting: BodyOf<'closeCashSession'>): Promise<CashSession> {
  const drawer = drawerNow()
  const { session } = await scannerCall('closeCashSession', { params: { id }, body: counting })
  await keep(drawer, null)
  return session
}

/** The session of the person on shift; undefined until it is known. */
export function findCashSession(cash: CashMeta | null): CashSession | null | undefined {
  const drawer = drawerNow()
  return cash && cash.deviceId === drawer?.deviceId && cash.person === drawer.person ? cash.session : undefined
}

/** The cash that the drawer should hold, in rupees: the server's figure and unsent cash sales made since it was opened. */
export const cashInHand = ({ expected, person, openedAt }: CashSession, sales: readonly SaleRow[]): number =>
  sales
    .filter(({ state, method, checkerName }) => state === 'unsent' && method === 'cash' && checkerName === person)
    .filter(({ soldAt, clockOffset }) => Date.parse(soldAt) + clockOffset >= Date.parse(openedAt))
    .reduce((sum, { total }) => sum + total, expected)
