import { anEvent } from '@garba/shared/testing/builders'
import { expect, test } from 'vitest'
import { en } from '../texts/en.ts'
import { gu } from '../texts/gu.ts'
import { hi } from '../texts/hi.ts'
import { buildEventFacts } from './facts.ts'

const event = anEvent({
  date: '2025-09-07',
  startTime: '18:30',
  endTime: '22:30',
  ticketPrice: 299,
  groupPrice4: 249,
  venue: 'GMDC Ground, Ahmedabad',
})

test('an event shows its short and long date, its time range and both prices', () => {
  expect(buildEventFacts({ event, words: en, language: 'en' })).toMatchObject({
    shortDate: 'Sept 7',
    longDate: 'Sunday, 7 September 2025',
    time: '6:30 PM - 10:30 PM',
    venue: 'GMDC Ground, Ahmedabad',
    price: '₹299',
    group: { price: '₹249', saving: '₹50' },
  })
})

test("with no event the specification's fallback values are shown", () => {
  const facts = buildEventFacts({ event: null, words: en, language: 'en' })
  expect(facts).toMatchObject({ shortDate: 'Sept 7', time: '6:30 PM - 10:30 PM', price: '₹299', group: null })
  expect(facts.venue).not.toBe('')
  expect(facts.description).not.toBe('')
})

test('a group price that saves nothing is not offered as one', () => {
  const same = anEvent({ ticketPrice: 299, groupPrice4: 299 })
  expect(buildEventFacts({ event: same, words: en, language: 'en' }).group).toBeNull()
})

test.each([
  ['gu', gu, 'સપ્ટેમ્બર'],
  ['hi', hi, 'सितंबर'],
] as const)('%s shows the month in its own words and the digits in Latin script', (language, words, month) => {
  const { longDate, time } = buildEventFacts({ event, words, language })
  expect(longDate).toContain(month)
  expect(longDate).toContain('2025')
  expect(time).toContain('6:30')
})

test('midnight and noon are shown as 12', () => {
  const facts = buildEventFacts({
    event: anEvent({ startTime: '00:05', endTime: '12:00' }),
    words: en,
    language: 'en',
  })
  expect(facts.time).toBe('12:05 AM - 12:00 PM')
})
