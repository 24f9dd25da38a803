import type { Ticket } from '@garba/shared/contracts/ticket'
import { last8 } from '@garba/shared/messages/common'
import { saveFile } from '../../platform/saveFile.ts'

const SIDE = 1080
const CAPTION = 180
const MIDDLE = SIDE / 2

/**
 * Saves the drawn code as `garba-ticket-{ticketId}-qr.png` (SPEC 9), with name and last 8 characters below it, so that four
 * pictures in a gallery can be told apart. Throws when the browser cannot draw it.
 */
export async function downloadQr(svg: SVGSVGElement, ticket: Ticket): Promise<void> {
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
