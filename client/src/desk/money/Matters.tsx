import { REQUEST_RETRIES } from '@garba/shared/constants'
import type { Attention } from '@garba/shared/contracts/order'
import { MONEY } from '@garba/shared/messages/money'
import { ORDER } from '@garba/shared/messages/order'
import { formatRupees } from '@garba/shared/rules/money'
import { useState } from 'react'
import { Link } from 'react-router'
import { StateChip } from '../../kit/Badge.tsx'
import { Button } from '../../kit/Button.tsx'
import { Card } from '../../kit/Card.tsx'
import { callServer } from '../../platform/http/call.ts'
import { useDates } from '../frame/dates.ts'
import { NoteDialog } from '../frame/SaveDialog.tsx'
import { useChange } from '../frame/useChange.ts'
import styles from './MoneyView.module.css'

const words = MONEY.attention

interface MattersProps {
  matters: readonly Attention[]
  linked?: boolean
  title?: string
}

/** The question stays open when somebody else settles the last matter. */
export const Matters = ({ matters, linked = false, title }: MattersProps) => {
  const [open, setOpen] = useState<Attention | null>(null)
  const resolve = useChange({
    send: ({ id, resolution }: { id: string; resolution: string }) =>
      callServer('resolveAttention', { params: { id }, body: { resolution }, retries: REQUEST_RETRIES }),
    done: words.done,
    failed: words.resolveFailed,
  })
  const list = (
    <ul className={styles.lines}>
      {matters.map((what) => (
        <Row key={what.id} what={what} linked={linked} onResolve={() => setOpen(what)} />
      ))}
    </ul>
  )
  return (
    <>
      {matters.length === 0 ? null : title === undefined ? list : <Card title={title}>{list}</Card>}
      {open === null ? null : (
        <NoteDialog
          words={{ ...words.dialog, ...words.dialogs[open.kind] }}
          description={formatMatter(open)}
          busy={resolve.isPending}
          onSave={(resolution) => resolve.mutate({ id: open.id, resolution }, { onSuccess: () => setOpen(null) })}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  )
}

const formatMatter = ({ kind, amount }: Attention) =>
  amount === 0 ? ORDER.attention[kind] : `${ORDER.attention[kind]}, ${formatRupees(amount)}`

const Row = ({ what, linked, onResolve }: { what: Attention; linked: boolean; onResolve: () => void }) => {
  const { momentOf } = useDates()
  const { kind, amount, order, detail, at } = what
  return (
    <li className={styles.line}>
      <StateChip state="warn">{ORDER.attention[kind]}</StateChip>
      {amount === 0 ? null : <strong className="tabular">{formatRupees(amount)}</strong>}
      {order === null || !linked ? null : <Link to={`../orders/${order}`}>{order}</Link>}
      <span className={styles.detail}>{detail}</span>
      <time dateTime={at} className="soft">
        {words.since(momentOf(at))}
      </time>
      <Button size="sm" aria-label={words.resolveOf(formatMatter(what))} onClick={onResolve}>
        {words.resolve}
      </Button>
    </li>
  )
}
