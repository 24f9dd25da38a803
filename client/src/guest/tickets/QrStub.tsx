import type { Ticket } from '@garba/shared/contracts/ticket'
import { last8 } from '@garba/shared/messages/common'
import { Download, Eye, EyeOff, Maximize } from 'lucide-react'
import { useRef, useState } from 'react'
import { toast } from 'sonner'
import { Button } from '../../kit/Button.tsx'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { saveFile } from '../../platform/saveFile.ts'
import { entryPassButtonId, entryPassPath } from '../paths.ts'
import { useWords } from '../words.ts'
import { Qr } from './Qr.tsx'
import styles from './Stub.module.css'

/** The stub with the code; only active tickets have it (SPEC 2). */
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
        id={entryPassButtonId(ticket.ticketId)}
        to={entryPassPath(ticket.ticketId)}
        tone="primary"
        icon={<Maximize aria-hidden="true" />}
      >
        {list.showAtGate}
      </ButtonLink>
    </div>
  )
}

const SIDE = 1080
const CAPTION = 180
const MIDDLE = SIDE / 2

/**
 * Saves the code as `garba-ticket-{ticketId}-qr.png` (SPEC 9), with the name and last 8 characters below it, so that several
 * pictures in a gallery can be told apart. Throws when the browser cannot draw it.
 */
async function downloadQr(svg: SVGSVGElement, ticket: Ticket): Promise<void> {
  const canvas = document.createElement('canvas')
  canvas.width = SIDE
  canvas.height = SIDE + CAPTION
  const context = canvas.getContext('2d')
  if (!context) throw new Error('No canvas to draw on')
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  // A module is a whole number of pixels: nothing between black and white.
  context.imageSmoothingEnabled = false
  context.drawImage(await imageOf(svg), 0, 0, SIDE, SIDE)
  await document.fonts.ready
  context.fillStyle = '#221733'
  context.textAlign = 'center'
  context.font = '600 52px "Mukta Vaani", "Mukta", sans-serif'
  context.fillText(ticket.user.name, MIDDLE, SIDE + 44, SIDE - 80)
  context.font = '400 40px "Mukta Vaani", "Mukta", sans-serif'
  context.fillText(`${ticket.eventName} · ${last8(ticket.ticketId)}`, MIDDLE, SIDE + 110, SIDE - 80)
  const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (!picture) throw new Error('The picture could not be made')
  saveFile(picture, `garba-ticket-${ticket.ticketId}-qr.png`)
}

async function imageOf(svg: SVGSVGElement): Promise<HTMLImageElement> {
  const copy = svg.cloneNode(true) as SVGSVGElement
  copy.setAttribute('width', String(SIDE))
  copy.setAttribute('height', String(SIDE))
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`
  await image.decode()
  return image
}
