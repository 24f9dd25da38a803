import { drawText } from './lettering.ts'
import { buildPdf } from './sheet.ts'

const MM = 72 / 25.4
const PAGE = { width: 210 * MM, margin: 16 * MM }
const WIDTH = PAGE.width - 2 * PAGE.margin
const GAP = 3.6 * MM
const MARK_WIDTH = 4 * MM

interface Part {
  title: string
  lines: readonly string[]
  colour: string
}

const PLAIN = '#2a1454'

const PARTS: readonly Part[] = [
  {
    title: 'Pair your phone',
    colour: PLAIN,
    lines: [
      'Point the phone’s camera at the code that the organiser shows under Devices, and type your first name.',
      'Run the readiness check in the menu. Charge the phone and keep its screen on.',
    ],
  },
  {
    title: 'Scan',
    colour: PLAIN,
    lines: ['Press Start Scanner. Hold the code a hand’s width away, inside the frame. One code at a time.'],
  },
  { title: 'Green: let them in', colour: '#0d6b38', lines: ['The number is how many people go in with this code.'] },
  {
    title: 'Amber: let them in',
    colour: '#b7791f',
    lines: ['The phone decided by itself, because there was no network. It reports the entry later.'],
  },
  {
    title: 'Red: stop',
    colour: '#a3112e',
    lines: [
      'Read the reason aloud. It stays until you tap it or scan the next code.',
      'Already used? Press Check ID to see whose ticket it is. Then call the supervisor.',
    ],
  },
  {
    title: 'A group’s code',
    colour: PLAIN,
    lines: [
      'Count the people in front of you. Let all in, or press the number of people who are here. The others can come later.',
    ],
  },
  {
    title: 'No code, or a broken screen',
    colour: PLAIN,
    lines: ['Press Find and type two letters of the name, or the last 8 characters of the ticket.'],
  },
  {
    title: 'A mistake',
    colour: PLAIN,
    lines: ['Press Undo beside the last scan within 60 seconds.'],
  },
  {
    title: 'No network',
    colour: PLAIN,
    lines: ['Keep scanning. Never clear the browser’s data, and hand the phone back only when it says All sent.'],
  },
  {
    title: 'Selling',
    colour: PLAIN,
    lines: [
      'Count the cash you start with, and open your cash session. Take the amount on the button, then press it.',
      'UPI: let them pay with the code on your screen, then send them to the desk.',
    ],
  },
]

export const trainingCardPdf = (event: string): Promise<Uint8Array<ArrayBuffer>> =>
  buildPdf({ title: 'At the gate, in two minutes' }, (doc) => {
    doc.addPage()
    const full = { left: PAGE.margin, width: WIDTH }
    doc.fillColor('#000')
    let top = drawText(doc, 'At the gate, in two minutes', { ...full, top: 14 * MM, size: 26, weight: 700, lines: 1 })
    top = drawText(doc, event, { ...full, top, size: 13, weight: 400, lines: 1 }) + GAP
    for (const { title, lines, colour } of PARTS) {
      const from = top
      const inner = { left: PAGE.margin + MARK_WIDTH + GAP, width: WIDTH - MARK_WIDTH - GAP }
      doc.fillColor(colour)
      top = drawText(doc, title, { ...inner, top, size: 16, weight: 700, lines: 1 })
      doc.fillColor('#000')
      for (const line of lines) top = drawText(doc, line, { ...inner, top, size: 12.5, weight: 400, lines: 3 })
      doc.rect(PAGE.margin, from + 1 * MM, MARK_WIDTH, top - from).fill(colour)
      top += GAP
    }
  })
