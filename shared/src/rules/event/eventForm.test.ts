import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EVENT_LIMITS } from '../../constants.ts'
import { anEvent } from '../../testing/builders.ts'
import { parseEventForm } from './eventForm.ts'

const TODAY = '2025-08-01'
const typed = {
  name: 'Garba Rass 2025',
  venue: 'Riverfront Ground',
  description: 'One night of garba.',
  date: '2025-09-22',
  startTime: '18:30',
  endTime: '22:30',
  endsNextDay: false,
  ticketPrice: 299,
  groupPrice4: 249,
  totalTickets: 500,
  eventImage: null as unknown,
  features: [] as unknown,
  aboutText: null as unknown,
  salesFrom: null as unknown,
  salesUntil: null as unknown,
  paused: null as unknown,
  capacity: null as unknown,
  reentry: 'none' as unknown,
  reentryUntil: null as unknown,
}
const parse = (changes: Record<string, unknown> = {}) => parseEventForm({ ...typed, ...changes }, { today: TODAY })
const errorsOf = (changes: Record<string, unknown>) => {
  const result = parse(changes)
  return result.ok ? [] : result.errors
}
const taken = (changes: Record<string, unknown> = {}) => {
  const result = parse(changes)
  return result.ok ? result.value : result.errors
}

/** What is typed, and the exact words at which field. */
const SAID: readonly [field: string, given: readonly unknown[], message: string][] = [
  ['name', ['', '   ', undefined, null, 5], 'Event name is required'],
  ['date', ['', '  ', undefined, null, 20250922], 'Event date is required'],
  ['venue', ['', '\t', undefined, null, {}], 'Event venue is required'],
  ['description', ['', '\n', undefined, null, []], 'Event description is required'],
  ['startTime', ['', undefined, null, 1830], 'Start time is required'],
  ['endTime', ['', undefined, null, true], 'End time is required'],
  [
    'ticketPrice',
    [
      0,
      -1,
      '',
      ' ',
      '0',
      '-5',
      'abc',
      '12abc',
      '1e3',
      '1,000',
      Number.NaN,
      Number.POSITIVE_INFINITY,
      undefined,
      null,
      true,
      [299],
    ],
    'Valid ticket price is required (must be greater than 0)',
  ],
  [
    'groupPrice4',
    [0, -0.5, '', 'x', '₹249', undefined, null, {}],
    'Valid group price for 4+ tickets is required (must be greater than 0)',
  ],
  [
    'totalTickets',
    [0, -1, 1.5, '1.5', '', 'many', '0x10', undefined, null, false],
    'Valid total tickets count is required (must be greater than 0)',
  ],
  ['date', ['2025-07-31', '2024-12-31', '0001-01-01'], 'Event date cannot be in the past'],
  [
    'startTime',
    ['6:30', '18.30', '24:00', '18:60', '6:30 PM', '18:30:00'],
    'Start time must be in HH:MM format (e.g., 18:00)',
  ],
  ['endTime', ['9:00', '25:00', '22:3', 'late'], 'End time must be in HH:MM format (e.g., 22:00)'],
  ['endTime', ['18:30', '18:29', '00:00'], 'End time must be after start time'],
]

describe.each(SAID)('%s', (field, given, message) => {
  test.each(given.map((value) => [value]))(`%j: ${message}`, (value) => {
    expect(errorsOf({ [field]: value })).toEqual([{ field, message }])
  })
})

test('a good form is taken as typed', () => {
  expect(taken()).toEqual(typed)
})

test('texts are trimmed', () => {
  const spaced = {
    name: '  Garba ',
    venue: ' Ground\n',
    description: ' Night ',
    aboutText: ' About ',
    date: ' 2025-09-22 ',
  }
  expect(taken(spaced)).toMatchObject({
    name: 'Garba',
    venue: 'Ground',
    description: 'Night',
    aboutText: 'About',
    date: '2025-09-22',
  })
})

test('numbers may come as decimal texts', () => {
  expect(taken({ ticketPrice: ' 299.50 ', groupPrice4: '.75', totalTickets: '500' })).toMatchObject({
    ticketPrice: 299.5,
    groupPrice4: 0.75,
    totalTickets: 500,
  })
})

test('a price with a third decimal is refused, never rounded', () => {
  for (const price of [299.999, '0.001', 1.005])
    expect(errorsOf({ ticketPrice: price, groupPrice4: price })).toEqual([
      { field: 'ticketPrice', message: 'Ticket price can have at most 2 decimal places' },
      { field: 'groupPrice4', message: 'Group price can have at most 2 decimal places' },
    ])
})

test('every price of whole paise is accepted as number and as text', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: EVENT_LIMITS.price * 100 }), (paise) => {
      expect(taken({ ticketPrice: paise / 100, groupPrice4: (paise / 100).toFixed(2) })).toMatchObject({
        ticketPrice: paise / 100,
        groupPrice4: paise / 100,
      })
    }),
  )
})

test('features come as a list or comma separated, trimmed, empties dropped', () => {
  expect(taken({ features: ' Dhol, ,Food stalls,, ' })).toMatchObject({ features: ['Dhol', 'Food stalls'] })
  expect(taken({ features: [' Dhol ', '', 'Food, drinks'] })).toMatchObject({ features: ['Dhol', 'Food, drinks'] })
  for (const none of ['', ' , ', [], null, undefined]) expect(taken({ features: none })).toMatchObject({ features: [] })
})

test('features of another shape are refused', () => {
  for (const features of [5, {}, [1], [null], [['Dhol']]])
    expect(errorsOf({ features })).toEqual([{ field: 'features', message: 'Features must be a list of short texts' }])
})

test('what is optional may be left out or empty', () => {
  const { eventImage, features, aboutText, salesFrom, salesUntil, paused, ...more } = typed
  const { capacity, reentry, reentryUntil, ...needed } = more
  const nothing = { eventImage: null, features: [], aboutText: null, salesFrom: null, salesUntil: null, paused: null }
  const ground = { capacity: null, reentry: 'none', reentryUntil: null }
  expect(parseEventForm(needed, { today: TODAY })).toEqual({ ok: true, value: { ...needed, ...nothing, ...ground } })
  expect(taken({ eventImage: '', aboutText: '  ' })).toMatchObject({ eventImage: null, aboutText: null })
})

test('today is not in the past', () => {
  expect(parse({ date: TODAY }).ok).toBe(true)
  expect(errorsOf({ date: '2025-07-31' })).toHaveLength(1)
})

test('an event is at most five years ahead', () => {
  expect(parse({ date: '2030-08-01' }).ok).toBe(true)
  for (const date of ['2030-08-02', '9999-12-31'])
    expect(errorsOf({ date })).toEqual([{ field: 'date', message: 'Event date must be within the next 5 years' }])
  const onLeapDay = (date: string) => parseEventForm({ ...typed, date }, { today: '2024-02-29' }).ok
  expect([onLeapDay('2029-02-28'), onLeapDay('2029-03-01')]).toEqual([true, false])
})

test('a past date may stay as it is, and may not become another past date', () => {
  const saved = (date: string) => parseEventForm({ ...typed, date }, { today: TODAY, savedDate: '2025-01-10' }).ok
  expect([saved('2025-01-10'), saved('2025-01-11'), saved('2025-01-09')]).toEqual([true, false, false])
})

test('a date far ahead from before the bound must be repaired', () => {
  const result = parseEventForm({ ...typed, date: '9999-12-31' }, { today: TODAY, savedDate: '9999-12-31' })
  expect(result.ok).toBe(false)
})

test('a day the calendar does not have is refused as such', () => {
  for (const date of ['2026-02-29', '22-09-2025', '2025-09-22T18:30:00Z', 'soon'])
    expect(errorsOf({ date })).toEqual([{ field: 'date', message: 'Event date must be a real date (YYYY-MM-DD)' }])
})

test('the upper limits hold to the last character and ticket', () => {
  const long = (n: number) => 'x'.repeat(n)
  const rows: [string, unknown, unknown, string][] = [
    ['name', long(120), long(121), 'Event name must be at most 120 characters'],
    ['venue', long(200), long(201), 'Event venue must be at most 200 characters'],
    ['description', long(5000), long(5001), 'Event description must be at most 5000 characters'],
    ['aboutText', long(5000), long(5001), 'About text must be at most 5000 characters'],
    ['ticketPrice', 1_000_000, 1_000_000.01, 'Ticket price must be at most 10,00,000'],
    ['groupPrice4', '1000000', '1000001', 'Group price must be at most 10,00,000'],
    ['totalTickets', 1_000_000, 1_000_001, 'Total tickets must be at most 10,00,000'],
    ['features', [long(80)], [long(81)], 'Each feature must be at most 80 characters'],
    ['features', Array(50).fill('x'), Array(51).fill('x'), 'At most 50 features can be listed'],
  ]
  for (const [field, good, bad, message] of rows) {
    expect(errorsOf({ [field]: good }), field).toEqual([])
    expect(errorsOf({ [field]: bad }), field).toEqual([{ field, message }])
  }
})

test('an empty form gets every error at once, in the order of the form, one for each field', () => {
  const result = parseEventForm({}, { today: TODAY })
  expect(result.ok ? [] : result.errors.map((error) => error.field)).toEqual([
    'name',
    'venue',
    'description',
    'date',
    'startTime',
    'endTime',
    'ticketPrice',
    'groupPrice4',
    'totalTickets',
  ])
})

test('end before start is reported beside whatever else is wrong', () => {
  const errors = errorsOf({ name: '', endTime: '18:00', totalTickets: '1.5', ticketPrice: 'x', features: 3, date: '' })
  expect(errors.map((error) => error.field)).toEqual([
    'name',
    'date',
    'endTime',
    'ticketPrice',
    'totalTickets',
    'features',
  ])
  expect(errors).toContainEqual({ field: 'endTime', message: 'End time must be after start time' })
})

test('a body that is not an object is an empty form', () => {
  for (const body of [null, undefined, 'text', 5, true, [], [typed], () => typed]) {
    const result = parseEventForm(body, { today: TODAY })
    expect(result.ok ? [] : result.errors).toHaveLength(9)
  }
})

test('an event as answered can be changed and sent back', () => {
  const sales = { salesFrom: '2025-08-20T04:30:00.000Z', salesUntil: null, paused: 'Back at six.' }
  const ground = { capacity: 9_000, reentry: 'open', reentryUntil: null } as const
  const event = anEvent({ features: ['Dhol'], eventImage: '/api/event/image/abc', ...sales, ...ground })
  const { _id, startsAt, endsAt, availableTickets, createdAt, updatedAt, ...form } = event
  expect(parseEventForm({ ...event, name: 'Raas Night' }, { today: TODAY })).toEqual({
    ok: true,
    value: { ...form, name: 'Raas Night', salesFrom: new Date(sales.salesFrom) },
  })
})

test('what passed once passes again unchanged', () => {
  const once = parse({ name: ' Garba ', features: 'a, b', ticketPrice: '10', aboutText: '' })
  expect(once.ok && parseEventForm(once.value, { today: TODAY })).toEqual(once)
})

test('a price of half a million digits is reported like any other', () => {
  expect(errorsOf({ ticketPrice: `${'1'.repeat(500_000)}x` })).toMatchObject([{ field: 'ticketPrice' }])
})

test('nothing whatever makes it throw, and a refusal always names its fields', () => {
  const fields = Object.fromEntries(Object.keys(typed).map((field) => [field, fc.anything({ maxKeys: 3 })]))
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.record(fields, { requiredKeys: [] })), (body) => {
      const result = parseEventForm(body, { today: TODAY })
      if (result.ok) return
      expect(result.errors).not.toEqual([])
      expect(result.errors.filter(({ field, message }) => !Object.hasOwn(typed, field) || message === '')).toEqual([])
    }),
    { numRuns: 500 },
  )
})

test('a moment in a year that no answer can name is refused', () => {
  for (const salesUntil of ['9999-12-31T23:59:59-10:00', '0000-01-01T00:00:00+10:00'])
    expect(errorsOf({ salesUntil })).toEqual([{ field: 'salesUntil', message: 'Enter a day and a time' }])
})
