import { CODES } from '@garba/shared/contracts/codes'
import { CANCELLATION, CODE_MESSAGES, messageFor, refusalText, SCAN } from '@garba/shared/messages/codes'
import { failedAnswerText, SCREENS, SIGN_IN, TRANSPORT } from '@garba/shared/messages/common'
import { FAILURE_TOASTS, SUCCESS_TOASTS } from '@garba/shared/messages/toasts'
import { describe, expect, test } from 'vitest'
import { gu } from '../src/guest/wallet/texts/gu.ts'
import { hi } from '../src/guest/wallet/texts/hi.ts'
import { CAMERA_CAUSES } from '../src/scanner/texts/phone.ts'
import { CAMERA, NO_CAMERA } from '../src/scanner/texts/scanner.ts'
import { POLICY } from '../src/site/policies/texts/en.ts'

/** Every sentence of a catalogue, with its functions given `value`. */
const sentences = (catalogue: Readonly<Record<string, string | ((value: never) => string)>>, value: unknown) =>
  Object.values(catalogue)
    .map((entry) => (typeof entry === 'string' ? entry : entry(value as never)))
    .sort()

describe('the words that the spec fixes are there, exactly, and no others are among them', () => {
  test('failure toasts', () => {
    expect(sentences(FAILURE_TOASTS, 'WHY')).toEqual(
      [
        'Failed to load event information: WHY',
        'Please fix the validation errors',
        'Failed to create event: WHY',
        'Failed to update event: WHY',
        'Failed to process image',
        'Failed to load users: WHY',
        'Failed to delete user: WHY',
        'Failed to update role: WHY',
        'Failed to load tickets: WHY',
        'Failed to export: WHY',
        'Failed to update status: WHY',
        'Failed to delete: WHY',
        'Failed to update tickets: WHY',
        'Failed to load analytics: WHY',
        'Failed to load data: WHY',
        'Failed to purchase tickets: WHY',
        'Failed to cancel ticket: WHY',
        'Please select tickets and status',
      ].sort(),
    )
  })

  test('success toasts', () => {
    const entry = `${SCAN.entryAllowed} ${SCAN.welcome('4')}`
    expect([...sentences(SUCCESS_TOASTS, 4), entry].sort()).toEqual(
      [
        'Event created successfully! 🎉',
        'Event updated successfully! ✨',
        'User deleted successfully',
        'User role updated successfully',
        'Ticket status updated successfully',
        'Ticket deleted successfully',
        'Updated 4 tickets successfully',
        'Tickets exported successfully',
        'Admin role assigned successfully!',
        'QR Code downloaded successfully!',
        'Ticket ID copied to clipboard!',
        'Data refreshed successfully!',
        '🚫 Ticket cancelled successfully!',
        '🎉 4 ticket(s) purchased successfully!',
        'Entry Allowed! Welcome 4',
      ].sort(),
    )
  })

  test('camera', () => {
    expect(sentences(CAMERA, undefined)).toEqual(
      [
        'No camera found on this device',
        'No cameras detected',
        'Camera initialization timed out. Please check camera permissions and try again.',
        'Scanner initialization timed out. Please refresh the page and try again.',
        'Failed to access camera',
        'Failed to initialize scanner',
        'Failed to control camera',
        'Failed to switch camera',
        'Failed to pause/resume scanner',
      ].sort(),
    )
    expect(CAMERA_CAUSES.none.title).toBe('No Camera Available')
    expect(NO_CAMERA.checklist).toHaveLength(4)
    for (const question of NO_CAMERA.checklist) expect(question).toMatch(/\?$/)
  })

  test('sign-in, in the banner and at the button', () => {
    const { button, bannerTitle, refused: _ours, server, ...banner } = SIGN_IN
    expect(bannerTitle).toBe('Authentication Error')
    // The words of any failed call, where our server fails rather than Google.
    expect(server).toBe('Server error. Please try again later.')
    expect(sentences(banner, undefined)).toEqual(
      [
        'Sign-in failed. Please try again.',
        'Sign-in was cancelled.',
        'Pop-up was blocked. Please allow pop-ups for this site.',
        'Authentication error occurred.',
      ].sort(),
    )
    expect(sentences(button, undefined)).toEqual(
      [
        'Sign-in cancelled. Please try again.',
        'Pop-up blocked. Please allow pop-ups and try again.',
        'Network error. Please check your connection.',
        'Too many attempts. Please wait and try again.',
        'Authentication failed. Please try again.',
      ].sort(),
    )
  })

  test('scanner', () => {
    expect(SCAN.empty).toEqual({ title: 'Invalid QR Code', detail: 'Empty or malformed QR code' })
    expect(SCAN.unreadable).toEqual({ title: 'Invalid QR Code', detail: 'QR code format is not recognized' })
    expect(SCAN.notFound).toEqual({ title: 'Ticket Not Found', detail: 'This ticket does not exist in our system' })
    expect(SCAN.cancelled).toEqual({
      title: 'Ticket Cancelled',
      detail: 'This ticket was cancelled and is no longer valid.',
    })
    expect(SCAN.invalidTicket).toEqual({
      title: 'Invalid Ticket',
      detail: 'Ticket not found in system or QR code is invalid',
    })
    expect(SCAN.notMarked).toEqual({
      title: 'Failed to Process Entry',
      detail: 'Could not mark ticket as used. Please try again.',
    })
    expect(SCAN.failed('Network down')).toEqual({ title: 'Verification Failed', detail: 'Network down' })
    expect(SCAN.used({ when: '7:05 PM' })).toEqual({ title: 'Ticket Already Used', detail: 'Entered at 7:05 PM' })
    expect(SCAN.pending).toBe('Valid (Pending)')
  })

  test('other', () => {
    expect(SCREENS.crash).toMatchObject({ title: 'Oops! Something went wrong', action: 'Refresh Page' })
    expect(SCREENS.invalidRole).toMatchObject({ title: 'Invalid Role', action: 'Go to Home' })
  })
})

describe('a failed answer', () => {
  test('of 500 and above never shows the words of the server', () => {
    for (const status of [500, 502, 599])
      expect(failedAnswerText({ status, body: { message: 'SQLITE_BUSY' } })).toBe(
        'Server error. Please try again later.',
      )
  })
  test('of another status shows message, else error, else the status', () => {
    const readOnly = { code: 'READ_ONLY', message: 'Another server has taken over.' }
    expect(failedAnswerText({ status: 503, body: readOnly })).toBe(readOnly.message)
    expect(failedAnswerText({ status: 409, body: { message: 'Sold Out!', error: 'x' } })).toBe('Sold Out!')
    expect(failedAnswerText({ status: 400, body: { error: 'Bad' } })).toBe('Bad')
    for (const body of [null, undefined, '', '<html>', {}, { message: '' }, { message: 5 }, { error: { a: 1 } }])
      expect(failedAnswerText({ status: 418, body })).toBe('Request failed (418)')
  })
  test('that never came, or is not understood, has its own words', () => {
    expect(TRANSPORT.noResponse).toBe('Network error. Please check your connection and try again.')
    expect(TRANSPORT.unexpected).toBe('An unexpected error occurred.')
  })
})

describe('a refusal at the gate', () => {
  test('says when, by whom and where a used ticket came in, as far as it is known', () => {
    const detail = (facts: Parameters<typeof SCAN.used>[0]) => refusalText('ALREADY_USED', facts).detail
    expect(detail({ when: '7:05 PM', by: 'Chetan', at: 'Gate A' })).toBe('Entered at 7:05 PM, by Chetan, on Gate A')
    expect(detail({ when: '7:05 PM' })).toBe('Entered at 7:05 PM')
    expect(detail({})).toBe('This ticket has already been used for entry')
  })
  test('gives each reason its own words', () => {
    expect(refusalText('TICKET_CANCELLED')).toEqual(SCAN.cancelled)
    expect(refusalText('TICKET_NOT_FOUND')).toEqual(SCAN.notFound)
    expect(refusalText('NOT_ACTIVATED').title).toBe('Not Activated')
    expect(refusalText('QR_FORGED')).toEqual(SCAN.invalidTicket)
    expect(refusalText('QR_MALFORMED')).toEqual(SCAN.unreadable)
    expect(refusalText('QR_OTHER_EVENT').detail).toBe('This ticket is for another event.')
  })
})

describe('cancelling', () => {
  test('uses the words that the spec fixes', () => {
    expect(CANCELLATION.reasonRequired).toBe('Reason is required')
    expect(CANCELLATION.allowed(12)).toBe('12 days remaining until the event. You can cancel this ticket.')
    expect(CANCELLATION.closed(9)).toBe(
      'Tickets can only be cancelled at least 10 days before the event. Only 9 days remaining until the event.',
    )
  })
  test('speaks of one day in the singular, and of no days once the event is past', () => {
    expect(CANCELLATION.closed(1)).toMatch(/Only 1 day remaining until the event\.$/)
    expect(CANCELLATION.closed(0)).toMatch(/Only 0 days remaining until the event\.$/)
    for (const past of [-3, undefined])
      expect(CANCELLATION.closed(past)).toBe('Tickets can only be cancelled at least 10 days before the event.')
  })
})

describe('the codes of the API', () => {
  test('each have a sentence, with and without facts', () => {
    expect(Object.keys(CODE_MESSAGES).sort()).toEqual([...CODES].sort())
    for (const code of CODES) {
      expect(messageFor(code)).toMatch(/\S/)
      expect(messageFor(code, { remaining: 3, daysLeft: 4, retryAfterSeconds: 5 })).not.toMatch(/undefined|NaN/)
    }
  })
  test('say what they know', () => {
    expect(messageFor('SOLD_OUT', { remaining: 3 })).toBe('Only 3 tickets remain.')
    expect(messageFor('SOLD_OUT', { remaining: 1 })).toBe('Only 1 ticket remains.')
    expect(messageFor('SOLD_OUT', { remaining: 0 })).toBe('Sold Out! No tickets remain.')
    expect(messageFor('RATE_LIMITED', { retryAfterSeconds: 7 })).toContain('7 s')
    expect(messageFor('CANCELLATION_CLOSED', { daysLeft: 3 })).toBe(CANCELLATION.closed(3))
    expect(messageFor('ROLES_ADMIN_ONLY')).toBe('Only administrators can change user roles')
  })
})

test('every fact of the policies is stated with its figure', () => {
  const facts = {
    cutoff: ['10 days'],
    deduction: ['₹40', '₹25', '₹15'],
    transfer: ['₹50', '24 hours'],
    refundCard: ['5-7 business days'],
    refundNetBanking: ['3-5 business days'],
    refundUpiAndWallets: ['2-3 business days'],
    refundBankTransfer: ['7-10 business days'],
    medical: ['48 hours'],
    bereavement: ['3 business days'],
    dispute: ['7 days'],
    support: ['24 to 48 hours'],
    dataKept: ['3 years'],
    buyerAge: ['18'],
    serviceAge: ['under 13'],
    children: ['under 5', 'free'],
  } as const satisfies Record<keyof typeof POLICY, readonly string[]>
  for (const [name, figures] of Object.entries(facts))
    for (const figure of figures) expect(POLICY[name as keyof typeof POLICY]).toContain(figure)
  expect(CANCELLATION.refundTiming).toMatch(
    /5-7 business days to the original payment method, with a confirmation email/,
  )
})

test.each([gu, hi])('an offer speaks of one ticket or of several', ({ offer }) => {
  expect(offer.text(1)).not.toBe(offer.text(2))
})

describe('guests read each word in one spelling, and Latin digits', () => {
  const files = import.meta.glob<string>(
    ['../src/{guest,scanner,site}/**/texts/*.ts', '../../server/src/mail/texts/*.ts'],
    {
      query: '?raw',
      import: 'default',
      eager: true,
    },
  )
  const OTHERS = {
    gu: /ઓર્ડર|એપ(?![\u0a80-\u0aff])|ઈમેલ|હજુ|પ્રયત્ન|બેંક|પ્લૅટ|ગેટ(?!વે)|ઉપકરણ|પેજ|પ્રિન્ટ|(Google|Safari|UPI) (ની|માં|થી)|\} (ના|માંથી) |[૦-૯]/gu,
    hi: /बाक़ी|रक़म|तरीक़|क़ीमत|खरीद|तारीख़|अकाउंट|प्रवेश द्वार|पन्न|प्लैट|[०-९]/gu,
  } as const
  test.each(['gu', 'hi'] as const)('%s', (language) => {
    const own = Object.entries(files).filter(([path]) => path.endsWith(`/${language}.ts`))
    expect(own.length).toBeGreaterThan(6)
    expect(
      own.flatMap(([path, text]) => (text.match(OTHERS[language]) ?? []).map((word) => `${path}: ${word}`)),
    ).toEqual([])
  })
})
