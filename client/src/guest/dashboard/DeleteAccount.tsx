import { useMutation } from '@tanstack/react-query'
import { UserX } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { toast } from 'sonner'
import { Button } from '../../kit/Button.tsx'
import { ConfirmDialog } from '../../kit/Dialog.tsx'
import { callServer } from '../../platform/http/call.ts'
import { isFailure } from '../../platform/http/failure.ts'
import { signOut } from '../../platform/identity/actions.ts'
import { useOnline } from '../../platform/net/connectivity.ts'
import { failureText } from '../failures.ts'
import { useWords } from '../words.ts'

export const DeleteAccount = () => {
  const guest = useWords()
  const words = guest.user.deletion
  const online = useOnline()
  const navigate = useNavigate()
  const [open, setOpen] = useState(false)
  /** The tickets to give up, once the server has said that there are some. */
  const [tickets, setTickets] = useState(0)
  const close = () => {
    setOpen(false)
    setTickets(0)
  }
  const deletion = useMutation({
    mutationFn: () => callServer('deleteMe', { body: { confirm: true, ...(tickets > 0 ? { giveUp: true } : {}) } }),
    onSuccess: async () => {
      await signOut()
      void navigate('/', { replace: true })
      toast.success(words.done)
    },
    onError: (error) => {
      if (isFailure(error) && error.code === 'HAS_TICKETS') {
        const { tickets: kept = [] } = error.body as { tickets?: unknown[] }
        return setTickets(kept.length)
      }
      close()
      toast.error(words.failed(failureText(error, guest)))
    },
  })
  return (
    <>
      <Button size="sm" tone="ghost" icon={<UserX />} disabled={!online} onClick={() => setOpen(true)}>
        {words.action}
      </Button>
      <ConfirmDialog
        open={open}
        title={words.title}
        tone="danger"
        confirmLabel={tickets > 0 ? words.giveUp : words.action}
        cancelLabel={words.keep}
        busy={deletion.isPending}
        onConfirm={() => deletion.mutate()}
        onCancel={close}
      >
        {tickets > 0 ? <strong>{words.tickets(tickets)} </strong> : null}
        {words.text}
      </ConfirmDialog>
    </>
  )
}
