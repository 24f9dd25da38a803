import { aUser } from '@garba/shared/testing/builders'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setSession } from '../../platform/identity/session.ts'
import { stubLocalStorage } from '../../platform/testing/localStorage.ts'
import { dropDraft, fitsDraft, hasDraft, keepDraft, NO_EVENT, readDraft, sameValues } from './draft.ts'

const asha = aUser({ _id: 'asha', role: 'admin' })
const event = '01K5000000000000000000TH1S'
const typed = { ...NO_EVENT, name: 'ગરબા રાસ', totalTickets: '1200' }
const saved = { ...NO_EVENT, name: 'Garba Rass 2025', venue: 'Rangmanch Grounds', eventImage: '/api/event/image/abc' }

beforeEach(() => {
  stubLocalStorage()
  setSession({ type: 'signedIn', user: asha, confirmed: true })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

test('a draft is restored exactly as typed, until it is dropped', () => {
  expect(hasDraft(null)).toBe(false)
  keepDraft(typed, { saved: NO_EVENT, event: null })
  expect(readDraft(NO_EVENT, null)).toEqual({ values: typed, lacksPicture: false, message: null })
  dropDraft()
  expect(readDraft(NO_EVENT, null)).toBeNull()
})

test('a picture too large for the draft leaves the saved one in its place, and the draft says so', () => {
  const eventImage = `data:image/webp;base64,${'A'.repeat(1_500_000)}`
  expect(fitsDraft(eventImage)).toBe(false)
  keepDraft({ ...saved, venue: '', eventImage }, { saved, event })
  expect(readDraft(saved, event)).toEqual({ values: { ...saved, venue: '' }, lacksPicture: true, message: null })
})

test('a picture within the limit comes back', () => {
  const eventImage = `data:image/webp;base64,${'A'.repeat(1_000)}`
  expect(fitsDraft(eventImage)).toBe(true)
  keepDraft({ ...saved, eventImage }, { saved, event })
  expect(readDraft(saved, event)).toEqual({ values: { ...saved, eventImage }, lacksPicture: false, message: null })
})

test('a draft waits for its author, and nobody else sees it', () => {
  keepDraft(typed, { saved: NO_EVENT, event: null })
  setSession({ type: 'signedIn', user: aUser({ _id: 'bina', role: 'admin' }), confirmed: true })
  expect(hasDraft(null)).toBe(false)
  expect(readDraft(NO_EVENT, null)).toBeNull()
  setSession({ type: 'signedIn', user: asha, confirmed: true })
  expect(readDraft(NO_EVENT, null)?.values).toEqual(typed)
})

test('a form that closes after its user has left keeps nothing', () => {
  setSession({ type: 'signedOut' })
  keepDraft(typed, { saved: NO_EVENT, event: null })
  setSession({ type: 'signedIn', user: asha, confirmed: true })
  expect(hasDraft(null)).toBe(false)
})

test('a draft keeps what another admin has saved since', () => {
  keepDraft({ ...saved, name: 'Garba, the last night' }, { saved, event })
  const since = { ...saved, ticketPrice: '349', venue: 'Town Hall' }
  expect(readDraft(since, event)?.values).toEqual({ ...since, name: 'Garba, the last night' })
})

test('a draft is of one event, and none of another that followed or was created meanwhile', () => {
  keepDraft({ ...saved, venue: 'Town Hall' }, { saved, event })
  for (const other of [null, '01K500000000000000000THER1']) {
    expect(hasDraft(other)).toBe(false)
    expect(readDraft(saved, other)).toBeNull()
  }
  expect(readDraft(saved, event)?.values.venue).toBe('Town Hall')
  keepDraft(typed, { saved: NO_EVENT, event: null })
  expect(hasDraft(event)).toBe(false)
})

test('an unreadable draft is dropped', () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
  localStorage.setItem('garba.event-draft', '{"name":')
  expect(readDraft(saved, event)).toBeNull()
  expect(hasDraft(null)).toBe(false)
  expect(warn).toHaveBeenCalledOnce()
})

test('values are the same when every field is', () => {
  expect(sameValues(saved, { ...saved })).toBe(true)
  expect(sameValues(saved, { ...saved, aboutText: ' ' })).toBe(false)
})
