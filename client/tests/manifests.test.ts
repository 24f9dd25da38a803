import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

interface Picture {
  src: string
  sizes: string
  type: string
  purpose?: string
  form_factor?: string
}
interface Manifest {
  id: string
  start_url: string
  scope: string
  icons: Picture[]
  screenshots: Picture[]
  shortcuts?: { url: string }[]
}

const file = (path: string) => readFileSync(new URL(`../../manifest/${path.replace(/^\//, '')}`, import.meta.url))
const manifestOf = (name: string) => JSON.parse(file(`${name}.webmanifest`).toString()) as Manifest

/** Width and height as written in a PNG's header or a JPEG's frame. */
function sizeOf(bytes: Buffer): string {
  if (bytes.readUInt32BE(0) === 0x89504e47) return `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`
  for (let at = 2; at < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt16BE(at)
    if (marker >= 0xffc0 && marker <= 0xffc2) return `${bytes.readUInt16BE(at + 7)}x${bytes.readUInt16BE(at + 5)}`
  }
  throw new Error('Neither a PNG nor a JPEG')
}

describe.each([
  ['guest', '/dashboard/guest'],
  ['scanner', '/dashboard/qrchecker'],
])('the %s manifest', (name, home) => {
  const manifest = manifestOf(name)

  test('has one address for id, start and scope, with no slash at the end', () => {
    expect([manifest.id, manifest.start_url, manifest.scope]).toEqual([home, home, home])
  })

  test('names pictures that are there, in the sizes it says', () => {
    for (const picture of [...manifest.icons, ...manifest.screenshots]) {
      expect([picture.src, sizeOf(file(picture.src))]).toEqual([picture.src, picture.sizes])
    }
  })

  test('has the icons and pictures a rich install question needs', () => {
    const purposes = manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)
    expect(purposes).toEqual(expect.arrayContaining(['192x192 any', '512x512 any', '512x512 maskable']))
    expect(manifest.screenshots.some((picture) => picture.form_factor === 'narrow')).toBe(true)
  })

  test('keeps its shortcuts inside its scope', () => {
    for (const { url } of manifest.shortcuts ?? []) expect(url.startsWith(home)).toBe(true)
  })
})

test('neither scope holds the other, or one app could not be installed beside the other', () => {
  const [guest, scanner] = [manifestOf('guest').scope, manifestOf('scanner').scope]
  expect(guest.startsWith(scanner) || scanner.startsWith(guest)).toBe(false)
})
