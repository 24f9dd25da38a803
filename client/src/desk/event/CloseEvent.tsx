import type { GarbaEvent } from '@garba/shared/contracts/event'
import { EVENT_MANAGER } from '@garba/shared/messages/eventManager'
import { closingProblem } from '@garba/shared/rules/closing'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Archive } from 'lucide-react'
import { useId, useState } from 'react'
import { toast } from 'sonner'
import { Button } from '../../kit/Button.tsx'
import { Card } from '../../kit/Card.tsx'
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx'
import { call } from '../../platform/http/call.ts'
import { messageOf } from '../../platform/http/failure.ts'
import { serverNow } from '../../platform/net/clock.ts'
import { useNow } from '../../platform/screen/now.ts'
import styles from './EventForm.module.css'

const words = EVENT_MANAGER.close
const LOOK_MS = 30_000

/** Archives an event that is over, after a question. */
export const CloseEvent = ({ event }: { event: GarbaEvent }) => {
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const noteId = useId()
  useNow(LOOK_MS)
  const tooEarly = closingProblem({ endsAt: Date.parse(event.endsAt), held: 0 }, serverNow().getTime()) !== null
  const close = useMutation({
    mutationFn: () => call('closeEvent', { params: { id: event._id } }),
    onSuccess: () => toast.success(words.done),
    onError: (error) => toast.error(words.failed(messageOf(error))),
    onSettled: async () => {
      // Every list and figure of the desk is about another event now.
      await client.invalidateQueries()
      setAsking(false)
    },
  })
  return (
    <Card title={words.title}>
      <div className={styles.closing}>
        <p id={noteId}>{tooEarly ? words.notYet : words.text}</p>
        <Button
          icon={<Archive aria-hidden="true" />}
          disabled={tooEarly}
          aria-describedby={noteId}
          onClick={() => setAsking(true)}
        >
          {words.action}
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        tone="danger"
        title={words.question(event.name)}
        confirmLabel={close.isPending ? words.busy : words.action}
        cancelLabel={words.keep}
        busy={close.isPending}
        onConfirm={() => close.mutate()}
        onCancel={() => setAsking(false)}
      >
        <ul className={styles.consequences}>
          {words.consequences.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </ConfirmDialog>
    </Card>
  )
}
