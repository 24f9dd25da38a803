import type { Attention } from '@garba/shared/contracts/order'
import { MONEY } from '@garba/shared/messages/deskMoney'
import { ORDER } from '@garba/shared/messages/order'
import { formatRupees } from '@garba/shared/rules/money'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { toast } from 'sonner'
import { StateChip } from '../../kit/Badge.tsx'
import { Button } from '../../kit/Button.tsx'
import { call } from '../../platform/http/call.ts'
import { messageOf } from '../../platform/http/failure.ts'
import { KEYS, queries } from '../../platform/queries.ts'
import { useDates } from '../frame/dates.ts'
import { LoadedCard } from '../frame/LoadedCard.tsx'
import { NoteDialog } from '../frame/NoteDialog.tsx'
import styles from './Money.module.css'

const words = MONEY.attention

/** Money that nobody knows what to do with by rule, until a person says what was done. */
export const AttentionCard = () => {
  const query = useQuery(queries.attention())
  const [open, setOpen] = useState<Attention | null>(null)
  const resolve = useResolve()
  return (
    <LoadedCard
      title={words.title}
      query={query}
      failed={words.failed}
      words={words}
      lines={2}
      footer={
        open === null ? null : (
          <NoteDialog
            words={words.dialog}
            description={nameOf(open)}
            busy={resolve.isPending}
            onSave={(resolution) => resolve.mutate({ id: open.id, resolution }, { onSuccess: () => setOpen(null) })}
            onClose={() => setOpen(null)}
          />
        )
      }
    >
      {({ attention }) =>
        attention.length === 0 ? (
          <p className={styles.soft}>{words.none}</p>
        ) : (
          <ul className={styles.lines}>
            {attention.map((what) => (
              <Row key={what.id} what={what} onResolve={() => setOpen(what)} />
            ))}
          </ul>
        )
      }
    </LoadedCard>
  )
}

const nameOf = ({ kind, amount }: Attention) => `${ORDER.attention[kind]}, ${formatRupees(amount)}`

const Row = ({ what, onResolve }: { what: Attention; onResolve: () => void }) => {
  const { momentOf } = useDates()
  const { kind, amount, order, detail, at } = what
  return (
    <li className={styles.line}>
      <StateChip state="warn">{ORDER.attention[kind]}</StateChip>
      <strong className="tabular">{formatRupees(amount)}</strong>
      {order === null ? null : <Link to={`../orders/${order}`}>{order}</Link>}
      <span className={styles.detail}>{detail}</span>
      <time dateTime={at} className={styles.soft}>
        {words.since(momentOf(at))}
      </time>
      <Button size="sm" aria-label={words.resolveOf(nameOf(what))} onClick={onResolve}>
        {words.resolve}
      </Button>
    </li>
  )
}

function useResolve() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, resolution }: { id: string; resolution: string }) =>
      call('resolveAttention', { params: { id }, body: { resolution } }),
    onSuccess: () => toast.success(words.done),
    onError: (error) => toast.error(words.resolveFailed(messageOf(error))),
    onSettled: () => void client.invalidateQueries({ queryKey: KEYS.money }),
  })
}
