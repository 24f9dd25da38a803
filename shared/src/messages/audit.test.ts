import { expect, test } from 'vitest'
import { anEvent } from '../testing/builders.ts'
import { AUDIT } from './audit.ts'

const before = anEvent({
  name: 'Garba Rass',
  ticketPrice: 299,
  groupPrice4: 249,
  features: ['Live dhol'],
  aboutText: null,
  description: 'x'.repeat(100),
  eventImage: null,
})

test('an edited event is described in the words of its form, old and new', () => {
  const after = {
    ...before,
    name: 'Garba Night',
    ticketPrice: 349,
    date: '2026-10-01',
    features: [],
    aboutText: 'Come',
  }
  expect(AUDIT.event(before, after, 'Asia/Kolkata')).toBe(
    [
      'Event name "Garba Rass" -> "Garba Night"',
      `Date ${before.date} -> 2026-10-01`,
      'Ticket price 299 -> 349',
      'Features "Live dhol" -> none',
      'About text none -> "Come"',
    ].join('; '),
  )
})

test('a long text is cut at a character, of which an emoji is one', () => {
  const [from, to] = ['🪔'.repeat(59), '🪔'.repeat(60)]
  const changed = AUDIT.event({ ...before, venue: `${from}a` }, { ...before, venue: `${to}b` }, 'Asia/Kolkata')
  expect(changed).toBe(`Venue "${from}a" -> "${to}…"`)
})

test('a change beyond the cut of a long text is noted without the text, pictures as added, replaced or removed', () => {
  expect(AUDIT.event(before, { ...before, description: `${'x'.repeat(100)}y` }, 'Asia/Kolkata')).toBe(
    'Description edited',
  )
  const image = '/api/event/image/a'
  expect(AUDIT.event(before, { ...before, eventImage: image }, 'Asia/Kolkata')).toBe('Event image added')
  expect(AUDIT.event({ ...before, eventImage: image }, before, 'Asia/Kolkata')).toBe('Event image removed')
  expect(AUDIT.event(before, before, 'Asia/Kolkata')).toBe('')
})

test('a ticket is named by its end and its holder, as far as the holder is known', () => {
  expect(AUDIT.ticket('01K00000000000000ABCDEFGH0', 'Radha')).toBe('Ticket BCDEFGH0, Radha')
  expect(AUDIT.ticket('01K00000000000000ABCDEFGH0', null)).toBe('Ticket BCDEFGH0')
})
