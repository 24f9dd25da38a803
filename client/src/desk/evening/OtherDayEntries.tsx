import { BULK_UPDATE_MAX, REQUEST_RETRIES } from '@garba/shared/constants'
import { shortenTicketId } from '@garba/shared/messages/common'
import { useQuery } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { Button } from '../../kit/Button.tsx'
import { Card } from '../../kit/Card.tsx'
import { Table, Td, Th, Tr } from '../../kit/Table.tsx'
import { callServer } from '../../platform/http/call.ts'
import { useUser } from '../../platform/identity/session.ts'
import { KEYS, queries } from '../../platform/queries.ts'
import { useDates } from '../frame/dates.ts'
import { useChange } from '../frame/useChange.ts'
import { FIGURES } from '../texts/figures.ts'
import styles from './EveningView.module.css'

const words = FIGURES.evening.otherDay

export const OtherDayEntries = () => {
  const { momentOf } = useDates()
  const query = useQuery({ ...queries.attention(), enabled: useUser()?.role === 'admin' })
  const entries = query.data?.otherDay ?? []
  const { mutate, isPending } = useChange({
    send: () =>
      callServer('setBackEntries', {
        body: { scanIds: entries.slice(0, BULK_UPDATE_MAX).map(({ scanId }) => scanId) },
        retries: REQUEST_RETRIES,
      }),
    done: ({ setBack }) => words.done(setBack),
    failed: words.failed,
    stale: [KEYS.evening, KEYS.money, KEYS.tickets],
  })
  if (entries.length === 0) return null
  const head = (
    <>
      <Th>{words.columns.holder}</Th>
      <Th>{words.columns.at}</Th>
      <Th>{words.columns.by}</Th>
    </>
  )
  return (
    <Card
      title={words.title}
      flush
      actions={
        <Button size="sm" icon={<Undo2 />} busy={isPending} onClick={() => mutate()}>
          {words.setBack(Math.min(entries.length, BULK_UPDATE_MAX))}
        </Button>
      }
    >
      <p className={styles.cardNote}>{words.explain}</p>
      <Table caption={words.title} head={head} bare>
        {entries.map(({ scanId, ticketId, name, at, checkerName, deviceName }) => (
          <Tr key={scanId}>
            <Td wide>
              {name} <span className="soft">{shortenTicketId(ticketId)}</span>
            </Td>
            <Td label={words.columns.at}>{momentOf(at)}</Td>
            <Td label={words.columns.by}>{[checkerName, deviceName].filter(Boolean).join(', ')}</Td>
          </Tr>
        ))}
      </Table>
    </Card>
  )
}
