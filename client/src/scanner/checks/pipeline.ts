import { importPrivateKey, makeKeyPair, readQr, signQr } from '@garba/shared/rules/qr'
import { createDecoder } from '../decode/createDecoder.ts'
import { pictureOf } from './testCode.ts'

const TICKET = '01K5TEST000000000000000000'
const EVENT = '01K5EVENT00000000000000000'
const TRIES = 20
const BREATH_MS = 50

/**
 * Signs a code with a key made for the purpose, draws it, reads it with a decoder of its own and verifies it: everything
 * between the lens and the verdict. False when any of it fails. Never throws.
 */
export async function tryPipeline(): Promise<boolean> {
  const decoder = createDecoder()
  try {
    const { publicJwk, privateJwk } = await makeKeyPair()
    const text = await signQr({ ticketId: TICKET, eventId: EVENT, privateKey: await importPrivateKey(privateJwk) })
    await decoder.ready
    const read = await readOften(() => pictureOf(text), decoder)
    const fact = await readQr({
      text: read ?? '',
      keys: [{ kid: 'test', eventId: EVENT, jwk: publicJwk }],
      eventId: EVENT,
    })
    return fact.type === 'genuine' && fact.ticketId === TICKET
  } catch (error) {
    console.warn('The self-test failed', error)
    return false
  } finally {
    decoder.stop()
  }
}

/** A single frame may be rejected or dropped; a good device reads one in twenty. */
async function readOften(
  draw: () => ImageData | null,
  decoder: ReturnType<typeof createDecoder>,
): Promise<string | null> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const picture = draw()
    const decoded = picture === null ? null : await decoder.decode(picture)
    if (decoded) return decoded.text
    await new Promise((resolve) => setTimeout(resolve, BREATH_MS))
  }
  return null
}
