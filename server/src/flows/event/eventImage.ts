import { createHash } from 'node:crypto'
import { EVENT_FORM } from '@garba/shared/messages/eventForm'
import { Refusal } from '../../refusal.ts'
import { findImage, hasImage, type ImageRow } from '../../store/images.ts'
import type { WriteTx } from '../../store/sql.ts'
import type { Deps } from '../deps.ts'
import { imageAddress } from './eventViews.ts'

const ascii = (bytes: Buffer, from: number, to: number): string => bytes.toString('latin1', from, to)

/** The type the bytes show, regardless of the claimed one. Browsers get only this one. */
function typeOfBytes(bytes: Buffer): string | null {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg'
  if (ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png'
  if (/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return 'image/gif'
  return ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP' ? 'image/webp' : null
}

const unusable = (): Refusal =>
  new Refusal('VALIDATION_FAILED', {
    message: EVENT_FORM.fixErrors,
    errors: [{ field: 'eventImage', message: EVENT_FORM.imageFormat }],
  })

/** `stored`: already here under its address. `fresh`: to be stored under the SHA-256 of its bytes. */
export type GivenImage = { type: 'none' } | { type: 'stored'; hash: string } | { type: 'fresh'; image: ImageRow }

/**
 * The image in a checked event form: none, a stored image's address, or a data URL whose bytes are checked here.
 * Refuses with VALIDATION_FAILED on eventImage when they are not an image.
 */
export function givenImage(eventImage: string | null, now: Date): GivenImage {
  if (eventImage === null) return { type: 'none' }
  const address = imageAddress('')
  if (eventImage.startsWith(address)) return { type: 'stored', hash: eventImage.slice(address.length) }
  const bytes = Buffer.from(eventImage.slice(eventImage.indexOf(',') + 1), 'base64')
  const type = typeOfBytes(bytes)
  if (!type) throw unusable()
  const hash = createHash('sha256').update(bytes).digest('hex')
  return { type: 'fresh', image: { hash, type, bytes, createdAt: now } }
}

/** Refuses the address of an image that is not stored. */
export async function requireStored(tx: WriteTx, hash: string): Promise<void> {
  if (!(await hasImage(tx, hash))) throw unusable()
}

/** A stored image. Refuses with IMAGE_NOT_FOUND. */
export async function readImage({ store }: Deps, hash: string): Promise<ImageRow> {
  const image = await store.read((tx) => findImage(tx, hash))
  if (!image) throw new Refusal('IMAGE_NOT_FOUND')
  return image
}
