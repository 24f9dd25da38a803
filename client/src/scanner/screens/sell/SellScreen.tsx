import { HAND_OVER_MS } from '@garba/shared/constants'
import type { CashSession } from '@garba/shared/contracts/money/cash'
import { shortenTicketId } from '@garba/shared/messages/common'
import { formatRupees } from '@garba/shared/rules/money'
import { ChevronLeft, ChevronRight, CircleCheck, CloudOff, QrCode, Smartphone, Wifi, WifiOff } from 'lucide-react'
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react'
import { StateChip, type StateTone } from '../../../kit/Badge.tsx'
import { Banner, ErrorPanel } from '../../../kit/Banner.tsx'
import { Button } from '../../../kit/Button.tsx'
import { cx } from '../../../kit/cx.ts'
import { ConfirmDialog, Dialog } from '../../../kit/Dialog.tsx'
import { Qr } from '../../../kit/Qr.tsx'
import { Surface } from '../../../kit/Surface.tsx'
import { getErrorMessage } from '../../../platform/http/failure.ts'
import { serverNow } from '../../../platform/net/clock.ts'
import { usePageTitle } from '../../../platform/page.ts'
import { useWakeLock } from '../../../platform/screen/wakeLock.ts'
import type { SaleRow } from '../../../platform/store/scannerSchema.ts'
import { eveningNow, formatScannerTime, getEveningDay, timeZoneNow } from '../../core/moment.ts'
import { codesIn, countSold, listBlocksOfType, listSellableBlocks } from '../../core/sale.ts'
import { madeAt } from '../../core/scan.ts'
import { useStored } from '../../store/useStored.ts'
import { cashInHand, findCashSession } from '../../sync/cash.ts'
import { scannerCall } from '../../sync/connection.ts'
import { SELL_HERE } from '../../texts/sell.ts'
import frame from '../evening/GateScreen.module.css'
import { useSoldType } from '../lists/UnsentScans.tsx'
import { Counting, SellCash } from './SellCash.tsx'
import { EMPTY_DRAFT, SellForm } from './SellForm.tsx'
import styles from './SellScreen.module.css'
import { SellStock } from './SellStock.tsx'
import { useOffer, useSale } from './useSell.ts'

export default function SellScreen({ top }: { top: ReactNode }) {
  usePageTitle(SELL_HERE.title)
  const [draft, setDraft] = useState(EMPTY_DRAFT)
  const offer = useOffer(draft.type)
  const [codes, setCodes] = useState<SaleRow | null>(null)
  // Kept here, because the drawer's card moves when it is closed, and its slip must stay.
  const [counting, setCounting] = useState<CashSession | null>(null)
  const { isOffline } = offer
  const opens = offer.needsCash && offer.takesMoney
  const { step, next, ...sale } = useSale({
    isOffline,
    onRefused: (was) => setDraft(({ given }) => ({ ...was, given, typed: `${was.quantity}` })),
  })
  const startNext = () => {
    setDraft(EMPTY_DRAFT)
    next()
  }
  return (
    <main className={cx(frame.page, styles.page)}>
      {top}
      <div className={styles.head}>
        <h1>{SELL_HERE.title}</h1>
        <Cash />
        <p className={cx(styles.line, isOffline && styles.off)} role="status">
          {isOffline ? <WifiOff /> : <Wifi />}
          {isOffline ? (offer.held === 0 ? SELL_HERE.offlineNone : SELL_HERE.offline) : SELL_HERE.online}
        </p>
      </div>
      <div className={styles.columns}>
        <div className={styles.main}>
          {opens ? <SellCash isOffline={isOffline} onCount={setCounting} /> : null}
          {step.type === 'sold' ? (
            <Sold row={step.row} shown={step.shown} onCodes={setCodes} onNext={startNext} />
          ) : step.type === 'unsure' ? (
            <UnsureSale row={step.row} onAgain={sale.again} onHere={sale.hereInstead} onLeave={sale.leave} />
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
          {opens || !offer.sells ? null : <SellCash isOffline={isOffline} onCount={setCounting} />}
          {offer.sells ? <SellStock isOffline={isOffline} /> : null}
          <SellList onCodes={setCodes} />
        </div>
      </div>
      {counting === null ? null : <Counting session={counting} onClose={() => setCounting(null)} />}
      {codes === null ? null : <SoldCodes sale={codes} onClose={() => setCodes(null)} />}
    </main>
  )
}

const Cash = () => {
  const session = findCashSession(useStored((store) => store.cash))
  const sales = useStored((store) => store.sales)
  if (!session) return null
  return (
    <p className={styles.hand}>
      {SELL_HERE.cash.inHand}: <strong data-testid="cash">{formatRupees(cashInHand(session, sales))}</strong>
    </p>
  )
}

const soldWords = SELL_HERE.sold

/** The server reserves the seats and creates the tickets once the desk has found the payment. */
const waitsForBank = ({ state, method, noted, tickets }: SaleRow): boolean =>
  state === 'done' && method === 'upi' && !noted && tickets.length === 0

interface SoldProps {
  row: SaleRow
  /** The total that the seller asked for, in rupees; the server's may differ. */
  shown: number
  onCodes: (row: SaleRow) => void
  onNext: () => void
}

const Sold = ({ row, shown, onCodes, onNext }: SoldProps) => {
  const { method, total, state, scanIds, order, payLink } = row
  const quantity = countSold(row)
  const type = useSoldType(row)
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const isInside = scanIds !== undefined
  if (waitsForBank(row))
    return (
      <section className={cx(frame.card, styles.sold)} aria-label={SELL_HERE.form}>
        <h2 ref={title} tabIndex={-1}>
          {soldWords.held(quantity)}
        </h2>
        <p className={styles.amount}>{formatRupees(total)}</p>
        {payLink === undefined ? null : <Qr text={payLink} label={soldWords.payHere} className={styles.qr} />}
        <p className={styles.next}>{soldWords.waits(order ?? '')}</p>
        <Button tone="primary" size="lg" block onClick={onNext}>
          {soldWords.next}
        </Button>
      </section>
    )
  return (
    <section className={cx(frame.card, styles.sold)} aria-label={SELL_HERE.form}>
      <CircleCheck className={styles.tick} />
      <h2 ref={title} tabIndex={-1}>
        {method === 'complimentary' ? soldWords.given(quantity) : soldWords.title(quantity)}
      </h2>
      {type === null ? null : <p>{type}</p>}
      {method === 'complimentary' ? null : <p className={styles.amount}>{formatRupees(total)}</p>}
      {total === shown ? null : <Banner tone="warn">{soldWords.changed(formatRupees(total))}</Banner>}
      <p className={styles.next}>{isInside ? soldWords.letIn(quantity) : soldWords.showCodes(quantity)}</p>
      {state === 'unsent' ? (
        <p className={styles.line}>
          <CloudOff />
          {soldWords.here}
        </p>
      ) : null}
      <div className={styles.stack}>
        {isInside ? null : (
          <Button tone="primary" size="lg" block icon={<QrCode />} onClick={() => onCodes(row)}>
            {soldWords.codes}
          </Button>
        )}
        {isInside || state !== 'done' ? null : <TakeAlong row={row} />}
        <Button tone={isInside ? 'primary' : 'secondary'} size="lg" block onClick={onNext}>
          {soldWords.next}
        </Button>
      </div>
    </section>
  )
}

const PaperPage = (props: Pick<ComponentProps<typeof Dialog>, 'title' | 'footer' | 'onClose' | 'children'>) => (
  <Surface tone="paper">
    <Dialog open size="full" initialFocus="title" dismissOutside={false} {...props} />
  </Surface>
)

const alongWords = SELL_HERE.along

const isTooLateToHandOver = (sale: SaleRow): boolean =>
  serverNow().getTime() - Date.parse(whenSold(sale)) > HAND_OVER_MS

/** A link to the tickets of a sale that the server has, for the buyer's phone: the first phone that opens it. */
const TakeAlong = ({ row, small = false }: { row: SaleRow; small?: boolean }) => {
  const [open, setOpen] = useState(false)
  const [link, setLink] = useState<{ url: string } | { failed: string } | null>(null)
  const make = async () => {
    setLink(null)
    try {
      const ticketIds = row.tickets.map(({ id }) => id)
      setLink((await scannerCall('makeLink', { body: { ticketIds, purpose: 'offer' } })).link)
    } catch (error) {
      setLink({ failed: getErrorMessage(error) })
    }
  }
  const show = () => {
    setOpen(true)
    if (link === null || 'failed' in link) void make()
  }
  if (isTooLateToHandOver(row)) return null
  return (
    <>
      <Button size={small ? 'sm' : 'lg'} block={!small} icon={<Smartphone />} onClick={show}>
        {alongWords.action}
      </Button>
      {open ? (
        <PaperPage
          onClose={() => setOpen(false)}
          title={alongWords.title}
          footer={
            <Button tone="primary" size="lg" onClick={() => setOpen(false)}>
              {alongWords.done}
            </Button>
          }
        >
          <div className={styles.code}>
            {link === null ? <p role="status">{alongWords.making}</p> : null}
            {link !== null && 'url' in link ? (
              <>
                <Qr text={link.url} label={alongWords.of} className={styles.qr} />
                <p>{alongWords.text}</p>
              </>
            ) : null}
            {link !== null && 'failed' in link ? (
              <ErrorPanel retryLabel={alongWords.retry} onRetry={() => void make()}>
                {alongWords.failed(link.failed)}
              </ErrorPanel>
            ) : null}
          </div>
        </PaperPage>
      ) : null}
    </>
  )
}

const codeWords = SELL_HERE.codes

const SoldCodes = ({ sale, onClose }: { sale: SaleRow; onClose: () => void }) => {
  const type = useSoldType(sale)
  const coded = sale.tickets.flatMap(({ id, qrCode }) => (qrCode === null ? [] : [{ id, qrCode }]))
  const [at, setAt] = useState(0)
  const shown = coded[at]
  const isLast = at >= coded.length - 1
  useWakeLock(true)
  return (
    <PaperPage
      onClose={onClose}
      title={codeWords.title(at + 1, coded.length)}
      footer={
        <>
          <Button
            tone="primary"
            size="lg"
            iconAfter={isLast ? null : <ChevronRight />}
            onClick={() => (isLast ? onClose() : setAt(at + 1))}
          >
            {isLast ? codeWords.done : codeWords.next}
          </Button>
          {at === 0 ? null : (
            <Button size="lg" icon={<ChevronLeft />} onClick={() => setAt(at - 1)}>
              {codeWords.previous}
            </Button>
          )}
        </>
      }
    >
      {shown ? (
        <div className={styles.code}>
          <Qr text={shown.qrCode} label={codeWords.of(shortenTicketId(shown.id))} className={styles.qr} />
          <p className={styles.id}>{shortenTicketId(shown.id)}</p>
          {type === null ? null : <p>{type}</p>}
        </div>
      ) : null}
    </PaperPage>
  )
}

const unsureWords = SELL_HERE.unsure

interface UnsureSaleProps {
  row: SaleRow
  onAgain: (row: SaleRow) => void
  onHere: (row: SaleRow) => void
  onLeave: (row: SaleRow) => void
}

const UnsureSale = ({ row, onAgain, onHere, onLeave }: UnsureSaleProps) => {
  const blocks = useStored((store) => store.blocks)
  const left = codesIn(listBlocksOfType(listSellableBlocks(blocks, serverNow()), row.type ?? null))
  const [asks, setAsks] = useState<'here' | 'leave' | null>(null)
  const { quantity, name, method, total } = row
  const type = useSoldType(row)
  const confirmed = () => {
    setAsks(null)
    if (asks === 'here') onHere(row)
    else onLeave(row)
  }
  return (
    <section className={frame.card} aria-label={SELL_HERE.form}>
      <Banner tone="warn" live="alert" title={unsureWords.title}>
        <p>
          {[unsureWords.of({ quantity, name, method: SELL_HERE.methods[method] }), type, formatRupees(total)]
            .filter(Boolean)
            .join(', ')}
        </p>
        <p>{unsureWords.text}</p>
      </Banner>
      <div className={styles.stack}>
        <Button tone="primary" size="lg" block onClick={() => onAgain(row)}>
          {unsureWords.again}
        </Button>
        {left >= quantity ? (
          <Button block onClick={() => setAsks('here')}>
            {unsureWords.here}
          </Button>
        ) : null}
        <Button tone="ghost" block onClick={() => setAsks('leave')}>
          {unsureWords.leave}
        </Button>
      </div>
      <ConfirmDialog
        open={asks !== null}
        title={asks === 'here' ? unsureWords.hereTitle : unsureWords.leaveTitle}
        confirmLabel={asks === 'here' ? unsureWords.here : unsureWords.leave}
        cancelLabel={unsureWords.back}
        onConfirm={confirmed}
        onCancel={() => setAsks(null)}
      >
        {asks === 'here' ? unsureWords.hereText : unsureWords.leaveText}
      </ConfirmDialog>
    </section>
  )
}

const saleWords = SELL_HERE.sales
const SHOWN_MAX = 30
const TONES = { asking: 'warn', unknown: 'warn', unsent: 'warn', done: 'ok' } as const satisfies Record<
  SaleRow['state'],
  StateTone
>

const SellList = ({ onCodes }: { onCodes: (row: SaleRow) => void }) => {
  const sales = useStored((store) => store.sales)
  const evening = eveningNow()
  const shown = sales
    .filter((sale) => sale.state !== 'done' || getEveningDay(new Date(whenSold(sale)), timeZoneNow()) === evening)
    .slice(0, SHOWN_MAX)
  return (
    <section className={frame.card} aria-labelledby="sales">
      <h2 id="sales">{saleWords.title}</h2>
      {shown.length === 0 ? <p className={frame.soft}>{saleWords.none}</p> : null}
      <ul className={frame.list}>
        {shown.map((sale) => (
          <Row key={sale.key} sale={sale} onCodes={onCodes} />
        ))}
      </ul>
    </section>
  )
}

const whenSold = ({ soldAt, clockOffset }: SaleRow): string => madeAt(soldAt, clockOffset)

const Row = ({ sale, onCodes }: { sale: SaleRow; onCodes: (row: SaleRow) => void }) => {
  const { method, name, total, order, parked, unseated, noted, state, checkerName, tickets, scanIds } = sale
  const quantity = countSold(sale)
  const type = useSoldType(sale)
  const when = formatScannerTime(whenSold(sale))
  return (
    <li className={frame.row}>
      <p className={styles.what}>
        <strong>{saleWords.line(quantity, SELL_HERE.methods[method])}</strong>
        <span className={styles.price}>{formatRupees(total)}</span>
      </p>
      <p className={styles.facts}>
        <span>{when}</span>
        {type === null ? null : <span>{type}</span>}
        {name === undefined ? null : <span>{name}</span>}
        <span>{saleWords.by(checkerName)}</span>
        {order === null ? null : <span>{order}</span>}
      </p>
      <div className={styles.ends}>
        <StateChip state={parked === null ? TONES[state] : 'bad'}>
          {parked === null
            ? waitsForBank(sale)
              ? saleWords.waits
              : saleWords.states[state]
            : saleWords.parked(parked.message)}
        </StateChip>
        {tickets.some(({ qrCode }) => qrCode !== null) ? (
          <Button
            size="sm"
            icon={<QrCode />}
            aria-label={saleWords.codesOf(quantity, when)}
            onClick={() => onCodes(sale)}
          >
            {saleWords.codes}
          </Button>
        ) : null}
        {state === 'done' && tickets.length > 0 && scanIds === undefined ? <TakeAlong row={sale} small /> : null}
      </div>
      {noted ? <p className={styles.bad}>{saleWords.noted}</p> : null}
      {unseated === undefined ? null : <p className={styles.bad}>{saleWords.unseated(unseated)}</p>}
    </li>
  )
}
