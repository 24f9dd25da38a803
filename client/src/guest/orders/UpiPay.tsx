import { REQUEST_RETRIES } from '@garba/shared/constants'
import type { Order, WholeOrder } from '@garba/shared/contracts/order'
import { formatRupees } from '@garba/shared/rules/money'
import { latinDigits } from '@garba/shared/rules/orders/sale'
import { useQueryClient } from '@tanstack/react-query'
import { Copy, Smartphone } from 'lucide-react'
import { type FormEvent, useLayoutEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { AnchorButton, Button } from '../../kit/Button.tsx'
import { Card } from '../../kit/Card.tsx'
import { copyText } from '../../kit/copyText.ts'
import { Dialog } from '../../kit/Dialog.tsx'
import { TextField } from '../../kit/Field.tsx'
import { IconButton } from '../../kit/IconButton.tsx'
import { Qr } from '../../kit/Qr.tsx'
import { useBackCloses } from '../../kit/useBackCloses.ts'
import { offerOtherBrowser } from '../../platform/embedded.ts'
import { holdBack } from '../../platform/heldBack.ts'
import { callServer } from '../../platform/http/call.ts'
import { isFailure } from '../../platform/http/failure.ts'
import { useOnline } from '../../platform/net/connectivity.ts'
import { queries } from '../../platform/queries.ts'
import { needsNetwork } from '../data/DataAge.tsx'
import { failureText } from '../failures.ts'
import { useWords } from '../words.ts'
import styles from './UpiPay.module.css'
import { refreshAfterOrder } from './useOrder.ts'
import { useOrderWords } from './words.ts'

interface UpiPayProps {
  order: WholeOrder
  upi: NonNullable<Order['upi']>
  userId: string
  /** Nobody may begin to pay any more, but a person who has just paid still has the number to enter. */
  over: boolean
}

export const UpiPay = ({ order, upi, userId, over }: UpiPayProps) => {
  const { upi: words, ended } = useOrderWords()
  const { close } = useWords()
  const { asking, ask, stay, leave } = useLeaveGuard(upi.asksUtr)
  const utr = useUtr(order.code, userId)
  const form = <UtrForm {...utr} />
  return (
    <Card title={over ? ended.paid : words.title}>
      {over ? null : (
        <div className={styles.ways}>
          <div className={styles.scan}>
            <Qr text={upi.link} label={words.qr} className={styles.qr} />
            <p className="soft">{words.scan}</p>
          </div>
          <div className="stack-3">
            <AnchorButton
              block
              tone="primary"
              size="lg"
              className={styles.open}
              href={upi.link}
              icon={<Smartphone />}
              onClick={(event) => {
                if (offerOtherBrowser(upi.link)) event.preventDefault()
                else ask()
              }}
            >
              {words.open}
            </AnchorButton>
            <h3 className={styles.heading}>{words.byHand}</h3>
            <dl className="stack-2">
              <Copyable label={words.id} text={upi.id} />
              <Copyable label={words.amount} text={upi.amount.toFixed(2)} shown={formatRupees(upi.amount)} />
              <Copyable label={words.note} text={upi.note} />
            </dl>
          </div>
        </div>
      )}
      {asking ? null : form}
      <Dialog
        open={asking}
        onClose={stay}
        busy={utr.sending}
        title={words.hasPaid}
        description={words.asksUtr}
        closeLabel={close}
        dismissOutside={false}
        initialFocus="title"
        footer={
          <Button tone="ghost" disabled={utr.sending} onClick={leave}>
            {words.notPaid}
          </Button>
        }
      >
        {form}
      </Dialog>
    </Card>
  )
}

/** The destination of a click that the page's question interrupts; null for another app, where the page stays. */
type Destination = string | number | null

/**
 * Stops links of this site and Back once, so that the page can ask something first; for a closed tab the browser asks in
 * its own words. No browser holds a swipe that closes an app.
 */
function useLeaveGuard(guarded: boolean) {
  const navigate = useNavigate()
  const [leaving, setLeaving] = useState<{ to: Destination } | null>(null)
  const [isLetGo, setLetGo] = useState(false)
  const [here] = useState(() => ({ pathname: location.pathname, entry: entryNow() }))
  const asking = leaving !== null
  const holds = guarded && !isLetGo && !asking
  // An installed app has nothing to go back to, and would close.
  useBackCloses(holds, () => setLeaving({ to: -1 }))
  // Before the page can be pressed.
  useLayoutEffect(() => {
    if (!holds) return
    const onClick = (event: MouseEvent) => {
      const to = pathIn(event)
      if (to === null) return
      // The router ignores a click that has already been stopped.
      event.preventDefault()
      setLeaving({ to })
    }
    let left = 0
    const onPop = (event: PopStateEvent) => {
      const steps = entryNow() - here.entry
      if (steps !== 0 && location.pathname !== here.pathname) {
        event.stopImmediatePropagation()
        left = steps
        history.go(-steps)
      } else if (left !== 0) setLeaving({ to: left })
    }
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    document.addEventListener('click', onClick, { capture: true })
    holdBack(onPop)
    window.addEventListener('beforeunload', onUnload)
    return () => {
      document.removeEventListener('click', onClick, { capture: true })
      holdBack(null)
      window.removeEventListener('beforeunload', onUnload)
    }
  }, [holds, here])
  const stay = () => setLeaving(null)
  const leave = () => {
    stay()
    const to = leaving?.to ?? null
    if (to === null) return
    setLetGo(true)
    // The two forms of `navigate` have no type in common.
    void (typeof to === 'number' ? navigate(to) : navigate(to))
  }
  const ask = () => {
    if (guarded) setLeaving({ to: null })
  }
  return { asking, ask, stay, leave }
}

/** The router numbers the entries of the history. */
const entryNow = (): number => (history.state as { idx?: number } | null)?.idx ?? 0

function pathIn({ target, button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): string | null {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
  if (link === null || link.target === '_blank' || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return null
  if (link.origin !== location.origin || link.pathname === location.pathname) return null
  return link.pathname + link.search + link.hash
}

const Copyable = ({ label, text, shown = text }: { label: string; text: string; shown?: string }) => {
  const { upi } = useOrderWords()
  const copy = () => copyText(text, { copied: upi.copied, failed: upi.notCopied })
  return (
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd>
        <span>{shown}</span>
        <IconButton label={upi.copy(label)} icon={<Copy />} onClick={() => void copy()} />
      </dd>
    </div>
  )
}

const UTR = /^\d{12}$/

/** The number as it is typed, and how it is sent. The order has it as soon as the server has answered. */
function useUtr(code: string, userId: string) {
  const { upi } = useOrderWords()
  const words = useWords()
  const client = useQueryClient()
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState<string | null>(null)
  const [sending, setSending] = useState(false)
  const give = async (utr: string) => {
    setSending(true)
    try {
      const { order } = await callServer('giveUtr', { params: { code }, body: { utr }, retries: REQUEST_RETRIES })
      client.setQueryData(queries.order(userId, code).queryKey, (known) =>
        known === undefined ? known : { ...known, order: { ...known.order, ...order } },
      )
    } catch (error) {
      const texts = { UTR_USED: upi.utrUsed, VALIDATION_FAILED: upi.bankNumber }
      const own = isFailure(error) ? texts[error.code as keyof typeof texts] : undefined
      setWrong(own ?? failureText(error, words))
    }
    setSending(false)
    refreshAfterOrder(client, userId)
  }
  const send = () => {
    const utr = latinDigits(typed).replaceAll(/\s/g, '')
    if (!UTR.test(utr)) return setWrong(upi.utrWrong)
    setWrong(null)
    void give(utr)
  }
  const type = (text: string) => {
    setTyped(text)
    setWrong(null)
  }
  return { typed, wrong, sending, type, send }
}

const UtrForm = ({ typed, wrong, sending, type, send }: ReturnType<typeof useUtr>) => {
  const { upi } = useOrderWords()
  const online = useOnline()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send()
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextField
        label={upi.utr}
        hint={upi.utrHint}
        error={wrong}
        inputMode="numeric"
        autoComplete="off"
        maxLength={20}
        value={typed}
        onChange={({ target }) => type(target.value)}
      />
      <Button type="submit" busy={sending} {...needsNetwork(online)}>
        {sending ? upi.sending : upi.send}
      </Button>
    </form>
  )
}
