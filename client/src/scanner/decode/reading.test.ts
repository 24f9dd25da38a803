import { encodeGroupQr } from '@garba/shared/rules/groupQr'
import { encodeQr } from '@garba/shared/rules/qr'
import { describe, expect, test } from 'vitest'
import { type Corners, findPreferredReading, isTicketText } from './reading.ts'

const ticket = (last: string) =>
  encodeQr({ ticketId: `01JABCDEFGHJKMNPQRSTVWXYZ${last}`, signature: new Uint8Array(64).fill(7) })
const around = (x: number, y: number): Corners => [
  { x: x - 50, y: y - 50 },
  { x: x + 50, y: y - 50 },
  { x: x + 50, y: y + 50 },
  { x: x - 50, y: y + 50 },
]
const FRAME = { width: 1280, height: 720 }

describe('which of several codes in view is meant', () => {
  test('a ticket before a poster, however central the poster is', () => {
    const poster = { text: 'https://example.com', corners: around(640, 360) }
    const ours = { text: ticket('0'), corners: around(100, 100) }
    expect(findPreferredReading([poster, ours], FRAME)).toBe(ours)
  })

  test('of two tickets the one nearest to the middle', () => {
    const left = { text: ticket('0'), corners: around(300, 360) }
    const right = { text: ticket('1'), corners: around(700, 360) }
    expect(findPreferredReading([left, right], FRAME)).toBe(right)
    expect(findPreferredReading([right, left], FRAME)).toBe(right)
  })

  test('a whole ticket before a broken one, and a broken one before a stranger', () => {
    const broken = { text: 'GR1:SHORT', corners: around(640, 360) }
    const stranger = { text: 'hello', corners: around(640, 360) }
    const whole = { text: ticket('0') }
    expect(findPreferredReading([stranger, broken, whole], FRAME)).toBe(whole)
    expect(findPreferredReading([stranger, broken], FRAME)).toBe(broken)
  })

  test('with nothing else to tell them apart, the text decides, in whatever order they were found', () => {
    const [a, b] = [{ text: ticket('0') }, { text: ticket('1') }]
    expect(findPreferredReading([a, b], FRAME)).toEqual(findPreferredReading([b, a], FRAME))
  })

  test('no reading, no answer', () => expect(findPreferredReading([], FRAME)).toBeNull())
})

test('a ticket text is one to the last digit', () => {
  const text = ticket('0')
  expect(isTicketText(text)).toBe(true)
  for (const other of [text.slice(0, -1), `${text}0`, ` ${text}`, text.replace('GR1', 'GR2'), text.toLowerCase(), ''])
    expect(isTicketText(other)).toBe(false)
})

test("a group's text is one to the last digit too", () => {
  const ticketIds = ['01JABCDEFGHJKMNPQRSTVWXYZ0', '01JABCDEFGHJKMNPQRSTVWXYZ1']
  const text = encodeGroupQr({ ticketIds, signature: new Uint8Array(64).fill(7) })
  expect(isTicketText(text)).toBe(true)
  for (const other of [text.slice(0, -1), `${text}0`, text.replace('GG1', 'GG2')])
    expect(isTicketText(other)).toBe(false)
})
