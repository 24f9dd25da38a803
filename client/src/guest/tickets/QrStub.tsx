import type { Ticket } from '@garba/shared/contracts/ticket'
import { last8 } from '@garba/shared/messages/common'
import { Download, Eye, EyeOff, Maximize } from 'lucide-react'
import { useRef, useState } from 'react'
import { toast } from 'sonner'
import { Button } from '../../kit/Button.tsx'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { gateButtonId, gatePath } from '../gate/paths.ts'
import { useWords } from '../words.ts'
import { downloadQr } from './downloadQr.ts'
import { Qr } from './Qr.tsx'
import styles from './Stub.module.css'

/** The part that opens the gate; only active tickets have it (SPEC 2). */
export const QrStub = ({ ticket, code }: { ticket: Ticket; code: string }) => {
  const { ticket: words, list, toasts } = useWords()
  const [shown, setShown] = useState(true)
  const frame = useRef<HTMLDivElement>(null)
  const download = async () => {
    const svg = frame.current?.querySelector('svg')
    if (!svg) return
    try {
      await downloadQr(svg, ticket)
      toast.success(toasts.qrDownloaded)
    } catch (error) {
      console.error('The QR code could not be saved', error)
      toast.error(toasts.notDownloaded)
    }
  }
  return (
    <div className={styles.stub}>
      <p className={styles.admit}>{words.admit}</p>
      {shown ? (
        <div className={styles.code} ref={frame}>
          <Qr text={code} label={words.qrOf(last8(ticket.ticketId))} className={styles.qr} />
        </div>
      ) : (
        <div className={styles.covered} aria-hidden="true" />
      )}
      <div className={styles.tools}>
        <Button
          size="sm"
          tone="ghost"
          icon={shown ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
          onClick={() => setShown(!shown)}
        >
          {shown ? words.hideQr : words.showQr}
        </Button>
        {shown ? (
          <Button size="sm" tone="ghost" icon={<Download aria-hidden="true" />} onClick={() => void download()}>
            {words.download}
          </Button>
        ) : null}
      </div>
      <ButtonLink
        block
        id={gateButtonId(ticket.ticketId)}
        to={gatePath(ticket.ticketId)}
        tone="primary"
        icon={<Maximize aria-hidden="true" />}
      >
        {list.showAtGate}
      </ButtonLink>
    </div>
  )
}
