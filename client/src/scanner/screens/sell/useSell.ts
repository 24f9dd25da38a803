import { DEFAULT_MAX_PER_ORDER, DOOR_SALE_MAX } from '@garba/shared/constants'
import type { NamedType } from '@garba/shared/contracts/types/ticketType'
import { pickCurrentPrices } from '@garba/shared/rules/types/currentPrices'
import { useEffect, useRef, useState } from 'react'
import { toast } from 'sonner'
import { useConfig } from '../../../platform/config.ts'
import { getErrorMessage, isFailure } from '../../../platform/http/failure.ts'
import { serverNow } from '../../../platform/net/clock.ts'
import { refreshCurrentEvent, rereadCurrentEvent, useCurrentEvent } from '../../../platform/store/event.ts'
import type { DoorMethod, SaleRow } from '../../../platform/store/scannerSchema.ts'
import { usePairingRow, useRight } from '../../core/pairing.ts'
import {
  codesIn,
  type Draft,
  isTypeOffered,
  listBlocksOfType,
  listSellableBlocks,
  nextCodes,
  type Prices,
} from '../../core/sale.ts'
import { leaveUnknown } from '../../store/sales.ts'
import { useStored } from '../../store/useStored.ts'
import { refreshBlocks } from '../../sync/blocks.ts'
import { findCashSession, refreshCash } from '../../sync/cash.ts'
import { askEachMinute, useConnection } from '../../sync/connection.ts'
import {
  askAgain,
  listSaleProblems,
  type SaleEnd,
  sellHere,
  sellHereInstead,
  sellOnline,
  toSaleDraft,
} from '../../sync/sell.ts'
import { SELL_HERE } from '../../texts/sell.ts'
import { showTrouble } from '../scan/showTrouble.ts'

export const SALE_FIELDS = ['name', 'phone', 'reason', 'reference'] as const

const NO_FIELDS: ReadonlyMap<string, string> = new Map()

export type Step =
  | { type: 'filling'; message: string | null; fields: ReadonlyMap<string, string>; soldOut: boolean }
  | { type: 'selling' }
  | { type: 'unsure'; row: SaleRow }
  /** `shown`: the total in rupees that the seller saw before the sale. */
  | { type: 'sold'; row: SaleRow; shown: number }

const filling: Extract<Step, { type: 'filling' }> = {
  type: 'filling',
  message: null,
  fields: NO_FIELDS,
  soldOut: false,
}

export function useAct(failed: (reason: string) => string) {
  const [busy, setBusy] = useState(false)
  const act = async (does: () => Promise<void>) => {
    setBusy(true)
    try {
      await does()
    } catch (error) {
      if (isFailure(error)) toast.error(failed(getErrorMessage(error)))
      else showTrouble(error)
    }
    setBusy(false)
  }
  return { busy, act }
}

/** Prices and limits come from the event or its type, or without a network from this phone's blocks. */
export function useOffer(chosen: NamedType | null) {
  const isOffline = useConnection(({ connection }) => connection.type === 'device' && connection.why === 'offline')
  const blocks = useStored((store) => store.blocks)
  const session = findCashSession(useStored((store) => store.cash))
  const current = useCurrentEvent((store) => store.current)
  const perOrder = useConfig(({ config }) => config?.maxPerOrder ?? DEFAULT_MAX_PER_ORDER)
  const sells = useRight('sell')
  const takesMoney = useConfig(({ config }) => config?.payments.desk ?? false) && sells
  const upiWaits = useConfig(({ config }) => config?.payments.upiAtDoor !== 'admit')
  const mayGive = useRight('complimentary')
  useEffect(() => void refreshBlocks(), [])
  useEffect(() => askEachMinute(refreshCurrentEvent), [])
  const shift = usePairingRow()?.shift
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer belongs to the shift, once the server knows of it
  useEffect(() => void refreshCash(), [shift?.name, shift?.sent])
  const now = serverNow()
  const open = listSellableBlocks(blocks, now)
  const known = useStored((store) => store.types)
  // The same with and without a network, so that a lost one never changes what the seller has chosen.
  const types = known.filter((type) => isTypeOffered(type) || type.id === chosen?.id)
  const type = types.find(({ id }) => id === chosen?.id) ?? types[0] ?? null
  const admits = type?.admits ?? 1
  const left = codesIn(listBlocksOfType(open, type))
  const event = current.type === 'known' ? current.event : null
  const offered = event && pickCurrentPrices(event)
  const ofEvent: Prices | null = type ?? (offered && { price: offered.ticketPrice, groupPrice: offered.groupPrice4 })
  const ofBlock = nextCodes(blocks, { quantity: 1, type, now })?.prices ?? null
  // Cash would belong to no drawer, because none can be opened without a network.
  const lacksDrawer = isOffline && !session
  const methods: DoorMethod[] = [
    ...(takesMoney && !lacksDrawer ? (['cash'] as const) : []),
    // Without a network the desk cannot be asked to look for the payment in the bank's list.
    ...(takesMoney && !(isOffline && upiWaits) ? (['upi'] as const) : []),
    ...(mayGive ? (['complimentary'] as const) : []),
  ]
  return {
    isOffline,
    prices: isOffline ? (ofBlock ?? type) : ofEvent,
    types,
    type,
    admits,
    lacksType: type === null && known.length > 0,
    held: codesIn(open),
    left,
    max: isOffline
      ? Math.min(left, DOOR_SALE_MAX)
      : Math.min(Math.floor(perOrder / admits), type?.maxPerOrder ?? perOrder),
    methods,
    sells,
    takesMoney,
    needsCash: session === null && !isOffline,
    lacksDrawer,
    upiWaits,
  }
}
export type Offer = ReturnType<typeof useOffer>

interface PricedDraft {
  draft: Draft
  /** In rupees. */
  shown: number
}

/** Runs one sale at a time. Each keeps its own key until its answer is known, so that repeated taps sell once. */
export function useSale({ isOffline, onRefused }: { isOffline: boolean; onRefused: (draft: Draft) => void }) {
  const [step, setStep] = useState<Step>(filling)
  // An earlier page may have asked for this sale without receiving the answer.
  const asking = useStored(({ sales }) => sales.find(({ state }) => state === 'asking') ?? null)
  const key = useRef<string>(crypto.randomUUID())
  const busy = useRef(false)

  const run = async (act: () => Promise<SaleEnd>, shown: number) => {
    if (busy.current) return
    busy.current = true
    setStep({ type: 'selling' })
    const end = await act()
    busy.current = false
    if (end.type === 'refused') {
      const { message, fields, soldOut = false } = end
      // The drawer may have been counted at the desk, or the price changed.
      void refreshCash()
      void rereadCurrentEvent()
      void refreshBlocks()
      const isOnFields = fields.size > 0 && [...fields.keys()].every((key) => SALE_FIELDS.some((name) => name === key))
      return setStep({ type: 'filling', message: isOnFields ? null : message, fields, soldOut })
    }
    key.current = crypto.randomUUID()
    if (end.type === 'unknown') return setStep({ type: 'unsure', row: end.row })
    setStep({ type: 'sold', row: end.row, shown })
    void refreshCash()
    void refreshBlocks()
  }

  const sell = ({ draft, shown }: PricedDraft, from: 'server' | 'phone') => {
    const fields = listSaleProblems(draft)
    if (fields.size > 0) return setStep({ ...filling, fields })
    const sale = { key: key.current, draft }
    void run(() => (from === 'phone' ? sellHere(sale) : sellOnline({ ...sale, total: shown })), shown)
  }
  const resolveUnsureSale = (row: SaleRow, act: (row: SaleRow) => Promise<SaleEnd>) =>
    void run(async () => {
      const end = await act(row)
      if (end.type === 'unknown') toast.error(SELL_HERE.unsure.still(end.message))
      if (end.type === 'refused') onRefused(toSaleDraft(row))
      return end
    }, row.total)
  /** If this phone holds too few codes, it stays unknown whether the first attempt sold. */
  const orStillUnsure = async (row: SaleRow): Promise<SaleEnd> => {
    const end = await sellHereInstead(row)
    if (end.type !== 'refused') return end
    toast.error(end.message)
    return { type: 'unknown', message: end.message, row }
  }

  return {
    step: step.type === 'filling' && asking !== null ? ({ type: 'unsure', row: asking } as const) : step,
    sell: (selling: PricedDraft) => sell(selling, isOffline ? 'phone' : 'server'),
    sellHere: (selling: PricedDraft) => sell(selling, 'phone'),
    again: (row: SaleRow) => resolveUnsureSale(row, askAgain),
    hereInstead: (row: SaleRow) => void run(() => orStillUnsure(row), row.total),
    leave: (row: SaleRow) => void leaveUnknown(row).then(() => setStep(filling), showTrouble),
    next: () => setStep(filling),
  }
}
