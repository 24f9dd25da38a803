import type { Ticket } from '@garba/shared/contracts/ticket'
import { QrCode, Send, UserPen } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { MenuItem } from '../../kit/Menu.tsx'
import { hasLinks } from '../../platform/store/links.ts'
import { GUEST_HOME } from '../paths.ts'
import { useWords } from '../words.ts'
import { useWalletWords } from './words.ts'

export interface LinkDialogProps {
  ticket: Ticket
  open: boolean
  onClose: () => void
}

const ShareDialog = lazy(async () => ({ default: (await import('./LinkDialogs.tsx')).ShareDialog }))
const NewCodeDialog = lazy(async () => ({ default: (await import('./LinkDialogs.tsx')).NewCodeDialog }))

const TicketNameDialog = lazy(async () => ({
  default: (await import('../tickets/TicketNameDialog.tsx')).TicketNameDialog,
}))

const DIALOGS = { name: TicketNameDialog, share: ShareDialog, newCode: NewCodeDialog } as const

/**
 * The menu items to name an active ticket, to send it to a friend or to replace its code, and the dialog to render beside the menu,
 * which is gone once an item is chosen.
 */
export function useTicketDialogs(ticket: Ticket, online: boolean) {
  const { share, newCode } = useWalletWords()
  const { ticket: words, holder } = useWords()
  const [shown, setShown] = useState<{ which: keyof typeof DIALOGS; open: boolean; nth: number } | null>(null)
  if (ticket.status !== 'active' || ticket.isPast) return { items: null, dialog: null }
  const open = (which: keyof typeof DIALOGS) => setShown({ which, open: true, nth: (shown?.nth ?? 0) + 1 })
  const why = online ? undefined : words.needsNetwork
  const Dialog = DIALOGS[shown?.which ?? 'name']
  return {
    items: (
      <>
        <MenuItem icon={<UserPen />} why={why} onSelect={() => open('name')}>
          {holder.action}
        </MenuItem>
        <MenuItem icon={<Send />} why={why} onSelect={() => open('share')}>
          {share.action}
        </MenuItem>
        <MenuItem icon={<QrCode />} why={why} onSelect={() => open('newCode')}>
          {newCode.action}
        </MenuItem>
      </>
    ),
    dialog:
      shown === null ? null : (
        <Suspense fallback={null}>
          <Dialog
            key={shown.nth}
            ticket={ticket}
            open={shown.open}
            onClose={() => setShown({ ...shown, open: false })}
          />
        </Suspense>
      ),
  }
}

export const LinkedTickets = () => {
  const words = useWalletWords()
  return hasLinks() ? (
    <ButtonLink to={`${GUEST_HOME}/wallet`} tone="ghost" icon={<Send />}>
      {words.title}
    </ButtonLink>
  ) : null
}
