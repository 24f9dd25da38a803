import { REASON_MAX } from '@garba/shared/constants'
import type { CashSession } from '@garba/shared/contracts/money/cash'
import { formatRupees } from '@garba/shared/rules/money'
import { computeCashDifference, differenceText, parseRupees } from '@garba/shared/rules/orders/orderMoney'
import { type FormEvent, useState } from 'react'
import { Button } from '../../../kit/Button.tsx'
import { Dialog } from '../../../kit/Dialog.tsx'
import { TextField } from '../../../kit/Field.tsx'
import { Line, Slip } from '../../../kit/Slip.tsx'
import { formatScannerTime } from '../../core/moment.ts'
import { usePairingRow } from '../../core/pairing.ts'
import { useStored } from '../../store/useStored.ts'
import { cashInHand, closeCash, findCashSession, openCash } from '../../sync/cash.ts'
import { SELL_HERE } from '../../texts/sell.ts'
import frame from '../evening/GateScreen.module.css'
import { useUnsentSales } from '../lists/UnsentScans.tsx'
import styles from './SellScreen.module.css'
import { useAct } from './useSell.ts'

const words = SELL_HERE.cash

export const SellCash = ({ isOffline, onCount }: { isOffline: boolean; onCount: (session: CashSession) => void }) => {
  const session = findCashSession(useStored((store) => store.cash))
  return (
    <section className={frame.card} aria-labelledby="cash">
      <h2 id="cash">{words.title}</h2>
      {session === undefined ? (
        <p className={frame.soft}>{words.unknown}</p>
      ) : session === null ? (
        <Opening isOffline={isOffline} />
      ) : (
        <Running session={session} isOffline={isOffline} onCount={() => onCount(session)} />
      )}
    </section>
  )
}

const Amount = ({ label, typed, onType }: { label: string; typed: string; onType: (typed: string) => void }) => (
  <TextField
    label={label}
    inputMode="decimal"
    autoComplete="off"
    value={typed}
    error={typed.trim() !== '' && parseRupees(typed) === null ? words.amountWrong : undefined}
    onChange={({ target }) => onType(target.value)}
  />
)

const Opening = ({ isOffline }: { isOffline: boolean }) => {
  const [typed, setTyped] = useState('')
  const { busy, act } = useAct(words.openFailed)
  const float = parseRupees(typed)
  const open = (event: FormEvent) => {
    event.preventDefault()
    if (float === null || busy) return
    void act(() => openCash(float))
  }
  return (
    <>
      {isOffline ? (
        <p className={frame.soft}>{words.needsNetwork}</p>
      ) : (
        <form className={styles.taking} onSubmit={open} noValidate>
          <Amount label={words.float} typed={typed} onType={setTyped} />
          <Button type="submit" busy={busy} disabled={float === null}>
            {busy ? words.opening : words.open}
          </Button>
        </form>
      )}
    </>
  )
}

interface RunningProps {
  session: CashSession
  isOffline: boolean
  onCount: () => void
}

const Running = ({ session, isOffline, onCount }: RunningProps) => {
  const sales = useStored((store) => store.sales)
  const device = usePairingRow()?.device.id
  // Sales made as another device are in that device's drawer.
  const isUnsent = useUnsentSales().some(({ deviceId }) => deviceId === device)
  const inHand = cashInHand(session, sales)
  return (
    <>
      <p className={frame.soft}>{words.since(formatScannerTime(session.openedAt), formatRupees(session.float))}</p>
      {inHand === session.expected ? null : <p className={frame.soft}>{words.unsent}</p>}
      {isOffline || isUnsent ? (
        <p className={frame.soft}>{isOffline ? words.needsNetwork : words.sendFirst}</p>
      ) : (
        <Button onClick={onCount}>{words.close}</Button>
      )}
    </>
  )
}

const FORM = 'counting'

interface CountingProps {
  /** The session as it was when the dialog opened: the store drops it once it is closed. */
  session: CashSession
  onClose: () => void
}

export const Counting = ({ session, onClose }: CountingProps) => {
  const open = findCashSession(useStored((store) => store.cash)) ?? session
  const [typed, setTyped] = useState('')
  const [note, setNote] = useState('')
  const [closed, setClosed] = useState<CashSession | null>(null)
  const { busy, act } = useAct(words.closeFailed)
  const counted = parseRupees(typed)
  const close = (event: FormEvent) => {
    event.preventDefault()
    if (counted === null || busy) return
    const counting = { counted, ...(note.trim() === '' ? {} : { note: note.trim() }) }
    void act(async () => setClosed(await closeCash(open.id, counting)))
  }
  return (
    <Dialog
      open
      onClose={onClose}
      busy={busy}
      title={closed === null ? words.closeTitle : words.closed}
      description={open.person}
      dismissOutside={false}
      footer={
        closed === null ? (
          <Button type="submit" form={FORM} tone="primary" size="lg" busy={busy} disabled={counted === null}>
            {busy ? words.saving : words.save}
          </Button>
        ) : (
          <Button tone="primary" size="lg" onClick={onClose}>
            {words.done}
          </Button>
        )
      }
    >
      <div className={styles.stack}>
        <ClosingSlip session={closed ?? open} />
        {closed !== null ? null : (
          <form id={FORM} className={styles.stack} onSubmit={close} noValidate>
            <Amount label={words.counted} typed={typed} onType={setTyped} />
            <p role="status" className={styles.difference}>
              {counted === null ? '' : differenceText(computeCashDifference(counted, open.expected))}
            </p>
            <TextField
              label={words.note}
              maxLength={REASON_MAX}
              autoComplete="off"
              value={note}
              onChange={({ target }) => setNote(target.value)}
            />
            <p className={frame.soft}>{words.recorded}</p>
          </form>
        )}
      </div>
    </Dialog>
  )
}

const ClosingSlip = ({ session }: { session: CashSession }) => {
  const { openedAt, closedAt, float, sales, taken, paidBack, expected, counted, difference, note } = session
  const { slip } = words
  return (
    <Slip live>
      <dl>
        <Line label={slip.opened}>{formatScannerTime(openedAt)}</Line>
        {closedAt === null ? null : <Line label={slip.closed}>{formatScannerTime(closedAt)}</Line>}
        <Line label={slip.start}>{formatRupees(float)}</Line>
        <Line label={slip.taken(sales)}>{formatRupees(taken)}</Line>
        {paidBack === 0 ? null : <Line label={slip.paidBack}>{formatRupees(-paidBack)}</Line>}
        <Line label={slip.expected} strong={counted === null}>
          {formatRupees(expected)}
        </Line>
        {counted === null ? null : (
          <>
            <Line label={slip.counted}>{formatRupees(counted)}</Line>
            <Line label={slip.difference} strong>
              {formatRupees(difference ?? 0)}
            </Line>
          </>
        )}
        {note === null ? null : (
          <Line label={slip.note} text>
            {note}
          </Line>
        )}
      </dl>
    </Slip>
  )
}
