import { REASON_MAX } from '@garba/shared/constants'
import type { CashSession } from '@garba/shared/contracts/order'
import { formatRupees } from '@garba/shared/rules/money'
import { differenceOf, differenceText, readAmount } from '@garba/shared/rules/orders/orderMoney'
import { type FormEvent, useState } from 'react'
import { toast } from 'sonner'
import { Button } from '../../../kit/Button.tsx'
import { Dialog } from '../../../kit/Dialog.tsx'
import { TextField } from '../../../kit/Field.tsx'
import { timeTextOf } from '../../core/moment.ts'
import { useStored } from '../../store/useStored.ts'
import { cashInHand, closeCash, openCash, sessionOf } from '../../sync/cash.ts'
import { SELL_HERE } from '../../texts/sell.ts'
import frame from '../evening/GateScreen.module.css'
import { useUnsentSales } from '../lists/UnsentScans.tsx'
import styles from './Sell.module.css'
import { useAct } from './useSell.ts'

const words = SELL_HERE.cash

/** The cash session of the person on shift. */
export const SellCash = ({ isOffline }: { isOffline: boolean }) => {
  const session = sessionOf(useStored((store) => store.cash))
  return (
    <section className={frame.card} aria-labelledby="cash">
      <h2 id="cash">{words.title}</h2>
      {session === undefined ? (
        <p className={frame.soft}>{words.unknown}</p>
      ) : session === null ? (
        <Opening isOffline={isOffline} />
      ) : (
        <Running session={session} isOffline={isOffline} />
      )}
    </section>
  )
}

interface AmountProps {
  label: string
  typed: string
  onType: (typed: string) => void
}

const Amount = ({ label, typed, onType }: AmountProps) => (
  <TextField
    label={label}
    inputMode="decimal"
    autoComplete="off"
    value={typed}
    error={typed.trim() !== '' && readAmount(typed) === null ? words.amountWrong : undefined}
    onChange={({ target }) => onType(target.value)}
  />
)

const Opening = ({ isOffline }: { isOffline: boolean }) => {
  const [typed, setTyped] = useState('')
  const { busy, act } = useAct(words.openFailed)
  const float = readAmount(typed)
  const open = (event: FormEvent) => {
    event.preventDefault()
    if (float === null || busy) return
    void act(() => openCash(float))
  }
  return (
    <>
      <p className={frame.soft}>{isOffline ? words.needsNetwork : words.none}</p>
      {isOffline ? null : (
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

const Running = ({ session, isOffline }: { session: CashSession; isOffline: boolean }) => {
  const sales = useStored((store) => store.sales)
  const unsent = useUnsentSales()
  const [closing, setClosing] = useState(false)
  const inHand = cashInHand(session, sales)
  return (
    <>
      <p className={styles.count}>
        <span>{words.inHand}:</span> <strong data-testid="cash">{formatRupees(inHand)}</strong>
      </p>
      <p className={frame.soft}>{words.since(timeTextOf(session.openedAt), formatRupees(session.float))}</p>
      {inHand === session.expected ? null : <p className={frame.soft}>{words.unsent}</p>}
      {isOffline || unsent.length > 0 ? (
        <p className={frame.soft}>{isOffline ? words.needsNetwork : words.sendFirst}</p>
      ) : (
        <Button onClick={() => setClosing(true)}>{words.close}</Button>
      )}
      {closing ? <Counting session={session} onClose={() => setClosing(false)} /> : null}
    </>
  )
}

const FORM = 'counting'

const Counting = ({ session, onClose }: { session: CashSession; onClose: () => void }) => {
  const [typed, setTyped] = useState('')
  const [note, setNote] = useState('')
  const { busy, act } = useAct(words.closeFailed)
  const counted = readAmount(typed)
  const { id, expected } = session
  const close = (event: FormEvent) => {
    event.preventDefault()
    if (counted === null || busy) return
    void act(async () => {
      const { difference } = await closeCash(id, { counted, ...(note.trim() === '' ? {} : { note: note.trim() }) })
      toast.success(words.closed(differenceText(difference ?? 0)))
      onClose()
    })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      busy={busy}
      title={words.closeTitle}
      description={words.expected(formatRupees(expected))}
      dismissOutside={false}
      footer={
        <Button type="submit" form={FORM} tone="primary" size="lg" busy={busy} disabled={counted === null}>
          {busy ? words.saving : words.save}
        </Button>
      }
    >
      <form id={FORM} className={styles.stack} onSubmit={close} noValidate>
        <Amount label={words.counted} typed={typed} onType={setTyped} />
        <p role="status" className={styles.difference}>
          {counted === null ? '' : differenceText(differenceOf(counted, expected))}
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
    </Dialog>
  )
}
