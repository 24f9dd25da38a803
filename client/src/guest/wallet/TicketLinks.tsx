import type { Ticket } from '@garba/shared/contracts/ticket'
import { QrCode, Send } from 'lucide-react'
import { type ComponentType, Fragment, lazy, type ReactNode, Suspense, useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { OFFLINE_NOTE } from '../data/DataAge.tsx'
import { useWalletWords } from './words.ts'

export interface LinkDialogProps {
  ticket: Ticket
  open: boolean
  onClose: () => void
}

const ShareDialog = lazy(async () => ({ default: (await import('./LinkDialogs.tsx')).ShareDialog }))
const NewCodeDialog = lazy(async () => ({ default: (await import('./LinkDialogs.tsx')).NewCodeDialog }))

/** What an owner can do about who holds an active ticket: send it to a friend, or replace a code that got around. */
export const TicketLinks = ({ ticket, online }: { ticket: Ticket; online: boolean }) => {
  const { share, newCode } = useWalletWords()
  return (
    <>
      <Opener
        ticket={ticket}
        online={online}
        label={share.action}
        icon={<Send aria-hidden="true" />}
        dialog={ShareDialog}
      />
      <Opener
        ticket={ticket}
        online={online}
        label={newCode.action}
        icon={<QrCode aria-hidden="true" />}
        dialog={NewCodeDialog}
      />
    </>
  )
}

interface OpenerProps {
  ticket: Ticket
  online: boolean
  label: string
  icon: ReactNode
  dialog: ComponentType<LinkDialogProps>
}

/** A button whose dialog is loaded at its first press; each opening begins anew. */
const Opener = ({ ticket, online, label, icon, dialog: Dialog }: OpenerProps) => {
  const [shown, setShown] = useState({ open: false, nth: 0 })
  return (
    <>
      <Button
        size="sm"
        tone="ghost"
        icon={icon}
        disabled={!online}
        aria-describedby={online ? undefined : OFFLINE_NOTE}
        onClick={() => setShown(({ nth }) => ({ open: true, nth: nth + 1 }))}
      >
        {label}
      </Button>
      <Suspense fallback={null}>
        {shown.nth === 0 ? null : (
          <Fragment key={shown.nth}>
            <Dialog ticket={ticket} open={shown.open} onClose={() => setShown({ ...shown, open: false })} />
          </Fragment>
        )}
      </Suspense>
    </>
  )
}
