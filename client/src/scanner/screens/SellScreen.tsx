import { SELL_HERE } from '@garba/shared/messages/scannerSell'
import { formatRupees } from '@garba/shared/rules/money'
import { Wifi, WifiOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { cx } from '../../kit/cx.ts'
import { usePageTitle } from '../../platform/page.ts'
import type { SaleRow } from '../../platform/store/scannerSchema.ts'
import { useRight } from '../core/pairing.ts'
import { useStored } from '../store/useStored.ts'
import { cashInHand, sessionOf } from '../sync/cash.ts'
import frame from './GateScreen.module.css'
import styles from './Sell.module.css'
import { SellCash } from './SellCash.tsx'
import { emptyDraft, SellForm } from './SellForm.tsx'
import { SellList } from './SellList.tsx'
import { SellStock } from './SellStock.tsx'
import { Sold } from './Sold.tsx'
import { SoldCodes } from './SoldCodes.tsx'
import { UnsureSale } from './UnsureSale.tsx'
import { useOffer, useSale } from './useSell.ts'

/** Sale at the door: by the server, or without a network from codes that this phone holds (DECISIONS 9). */
export default function SellScreen({ top }: { top: ReactNode }) {
  usePageTitle(SELL_HERE.title)
  const offer = useOffer()
  const mayScan = useRight('scan')
  const [draft, setDraft] = useState(() => emptyDraft(mayScan))
  const [codes, setCodes] = useState<SaleRow | null>(null)
  const { isOffline } = offer
  // What comes first is what has to be done first.
  const opens = offer.needsCash && offer.takesMoney
  const { step, next, ...sale } = useSale({
    isOffline,
    onRefused: (was) => setDraft({ ...was, typed: `${was.quantity}` }),
  })
  const startNext = () => {
    setDraft(emptyDraft(mayScan))
    next()
  }
  return (
    <main className={cx(frame.page, styles.page)}>
      {top}
      <div className={styles.head}>
        <h1>{SELL_HERE.title}</h1>
        <Cash />
      </div>
      <p className={cx(styles.line, isOffline && styles.off)} role="status">
        {isOffline ? <WifiOff aria-hidden="true" /> : <Wifi aria-hidden="true" />}
        {isOffline ? (offer.left === 0 ? SELL_HERE.offlineNone : SELL_HERE.offline) : SELL_HERE.online}
      </p>
      <div className={styles.columns}>
        <div className={styles.main}>
          {opens ? <SellCash isOffline={isOffline} /> : null}
          {step.type === 'sold' ? (
            <Sold row={step.row} shown={step.shown} onCodes={setCodes} onNext={startNext} />
          ) : step.type === 'unsure' ? (
            <UnsureSale
              row={step.row}
              left={offer.left}
              onAgain={sale.again}
              onHere={sale.hereInstead}
              onLeave={sale.leave}
            />
          ) : (
            <SellForm
              offer={offer}
              draft={draft}
              onChange={setDraft}
              step={step}
              onSell={sale.sell}
              onSellHere={sale.sellHere}
            />
          )}
        </div>
        <div className={styles.side}>
          {opens ? null : <SellCash isOffline={isOffline} />}
          <SellStock isOffline={isOffline} />
          <SellList onCodes={setCodes} />
        </div>
      </div>
      {codes === null ? null : <SoldCodes tickets={codes.tickets} onClose={() => setCodes(null)} />}
    </main>
  )
}

/** What the drawer should hold now. */
const Cash = () => {
  const session = sessionOf(useStored((store) => store.cash))
  const sales = useStored((store) => store.sales)
  if (!session) return null
  return (
    <p className={styles.hand}>
      {SELL_HERE.cash.inHand}: <strong>{formatRupees(cashInHand(session, sales))}</strong>
    </p>
  )
}
