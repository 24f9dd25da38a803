import { encodeGroupQr } from '@garba/shared/rules/groupQr'
import { encodeQr } from '@garba/shared/rules/qr'
import { correction, generate } from 'lean-qr'
import type { Random } from './random.ts'

/** A QR symbol: true = dark, row by row, without quiet zone. */
export interface QrSymbol {
  side: number
  dark: Uint8Array
}

/** As the guest's app and the sheets draw it: level M in the smallest version, which for a ticket is 5. */
export function symbolOf(text: string): QrSymbol {
  const code = generate(text, { minCorrectionLevel: correction.M, maxCorrectionLevel: correction.M })
  const side = code.size
  const dark = new Uint8Array(side * side)
  for (let y = 0; y < side; y++) for (let x = 0; x < side; x++) dark[y * side + x] = code.get(x, y) ? 1 : 0
  return { side, dark }
}

/** The same corner marks, lines and format around random modules. */
export function withNoise({ side, dark }: QrSymbol, random: Random): QrSymbol {
  const noise = dark.map((module, i) => {
    const [x, y] = [i % side, Math.floor(i / side)]
    const isMark = (x < 9 && y < 9) || (x >= side - 8 && y < 9) || (x < 9 && y >= side - 8) || x === 6 || y === 6
    return isMark ? module : random.whole(0, 1)
  })
  return { side, dark: noise }
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const signatureFrom = (random: Random) => Uint8Array.from({ length: 64 }, () => random.whole(0, 255))

function ticketIdFrom(random: Random): string {
  let ticketId = `0${random.whole(1, 7)}`
  while (ticketId.length < 26) ticketId += CROCKFORD.charAt(random.whole(0, 31))
  return ticketId
}

/** A ticket's code as the box office makes them; the signature is random, for a reader cannot tell. */
export const ticketText = (random: Random): string =>
  encodeQr({ ticketId: ticketIdFrom(random), signature: signatureFrom(random) })

export const groupText = (random: Random): string =>
  encodeGroupQr({
    ticketIds: Array.from({ length: 4 }, () => ticketIdFrom(random)),
    signature: signatureFrom(random),
  })

/** What else people hold up: links, payment codes, contact cards. */
export function strangerText(random: Random): string {
  const id = random.whole(10_000_000, 99_999_999)
  return random.pick([
    `https://example.com/menu/${id}`,
    `upi://pay?pa=stall${id}@bank&pn=Chaat+Corner&cu=INR`,
    `WIFI:T:WPA;S:Venue Guest;P:${id};;`,
  ])
}
