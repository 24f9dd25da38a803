import { correction, generate } from 'lean-qr'

/** Modules of the quiet zone around the code. */
const QUIET = 4

/** Draws a QR code in characters, each two modules high, for a terminal with light text on dark or the reverse. */
export function qrLines(text: string): string {
  const code = generate(text, { minCorrectionLevel: correction.M, maxCorrectionLevel: correction.M })
  const isLight = (x: number, y: number) => !code.get(x - QUIET, y - QUIET)
  const side = code.size + 2 * QUIET
  const rows: string[] = []
  for (let y = 0; y < side; y += 2) {
    let row = ''
    for (let x = 0; x < side; x++) {
      const [top, bottom] = [isLight(x, y), isLight(x, y + 1)]
      row += top ? (bottom ? '█' : '▀') : bottom ? '▄' : ' '
    }
    // Sets its own colours, because phones read only dark codes on a light background.
    rows.push(`\u001b[97;40m${row}\u001b[0m`)
  }
  return rows.join('\n')
}
