import type { OpenMatterKind } from '../contracts/names.ts'
import { formatCount } from './language.ts'

/** Messages for each field of the event form and of POST/PUT /event: the spec's, then those for other limits. */
export const EVENT_FORM = {
  nameRequired: 'Event name is required',
  dateRequired: 'Event date is required',
  venueRequired: 'Event venue is required',
  descriptionRequired: 'Event description is required',
  startTimeRequired: 'Start time is required',
  endTimeRequired: 'End time is required',
  ticketPriceInvalid: 'Valid ticket price is required (must be greater than 0)',
  groupPriceInvalid: 'Valid group price for 4+ tickets is required (must be greater than 0)',
  totalTicketsInvalid: 'Valid total tickets count is required (must be greater than 0)',
  datePast: 'Event date cannot be in the past',
  startTimeFormat: 'Start time must be in HH:MM format (e.g., 18:00)',
  endTimeFormat: 'End time must be in HH:MM format (e.g., 22:00)',
  endBeforeStart: 'End time must be after start time',
  imageFormat: 'Invalid image format. Please upload a valid image file.',
  imageType: 'Please select a valid image file (JPEG, PNG, GIF, or WebP)',
  imageSize: 'Image file size must be less than 5MB',
  momentShape: 'Enter a day and a time',
  salesUntilBeforeFrom: 'Online sales must end after they begin',
  capacityInvalid: 'Capacity must be a whole number of people above 0',
  reentryInvalid: 'Coming back must be none or open',
  pausedRequired: 'Tell guests in a sentence why sales are paused',
  endsNextDayInvalid: 'Ends the next day must be true or false',
  fixErrors: 'Please fix the validation errors before submitting',

  otherEvent: 'This event was closed, so nothing was changed. Reload the page.',
  dateTooFar: (years: number) => `Event date must be within the next ${years} years`,
  dateFormat: 'Event date must be a real date (YYYY-MM-DD)',
  ticketPriceDecimals: 'Ticket price can have at most 2 decimal places',
  groupPriceDecimals: 'Group price can have at most 2 decimal places',
  featuresShape: 'Features must be a list of short texts',
  aboutShape: 'About text must be text',
  textTooLong: (what: string, max: number) => `${what} must be at most ${max} characters`,
  numberTooHigh: (what: string, max: number) => `${what} must be at most ${formatCount(max)}`,
  tooManyFeatures: (max: number) => `At most ${max} features can be listed`,
  /** `taken` counts active and used tickets, and those held for a payment, on paper or by phones. */
  totalBelowTaken: (taken: number) =>
    `Total tickets cannot be less than the ${taken} ${taken === 1 ? 'ticket' : 'tickets'} already sold or held`,
  totalAboveCapacity: (capacity: number) =>
    `Total tickets cannot be more than the capacity of ${formatCount(capacity)} people`,
} as const

const counted = (one: string, many: string) => (n: number) => (n === 1 ? `1 ${one}` : `${formatCount(n)} ${many}`)

export const OPEN_MATTERS = {
  heldOrders: counted(
    'order waits for its payment: confirm or cancel it first',
    'orders wait for their payment: confirm or cancel them first',
  ),
  drawers: counted('cash drawer is not counted', 'cash drawers are not counted'),
  refundsByHand: counted('refund is still to be paid by hand', 'refunds are still to be paid by hand'),
  refundsInDoubt: counted('refund waits for the provider’s answer', 'refunds wait for the provider’s answer'),
  phonesUnsent: counted('phone had unsent rows at its last contact', 'phones had unsent rows at their last contact'),
  doubleAdmissions: counted('double admission is not looked at', 'double admissions are not looked at'),
  phonesSilent: counted(
    'phone with unsold codes has not reported since the end',
    'phones with unsold codes have not reported since the end',
  ),
  cashOutside: counted('seller’s cash is in no drawer', 'sellers’ cash is in no drawer'),
  matters: counted('matter under Money is not settled', 'matters under Money are not settled'),
  unmatchedCredits: counted(
    'credit on the bank statement has no order yet',
    'credits on the bank statement have no order yet',
  ),
  unproven: counted('sale by UPI or card is not proven', 'sales by UPI or card are not proven'),
} as const satisfies Record<OpenMatterKind, (n: number) => string>

type MovedCounts = Readonly<Record<'phones' | 'blocks' | 'links' | 'notices', number>>

export function movedText({ phones, blocks, links, notices }: MovedCounts): string {
  const parts = [
    phones > 0 && (phones === 1 ? '1 phone' : `${formatCount(phones)} phones`),
    blocks > 0 && (blocks === 1 ? '1 block of codes' : `${formatCount(blocks)} blocks of codes`),
    links > 0 && (links === 1 ? '1 ticket link' : `${formatCount(links)} ticket links`),
    notices > 0 && (notices === 1 ? '1 notice' : `${formatCount(notices)} notices`),
  ].filter((part) => part !== false)
  return parts.length === 0 ? '' : `Moved with the event: ${parts.join(', ')}`
}

export const openText = (matters: readonly { kind: OpenMatterKind; count: number }[]): string =>
  matters.map(({ kind, count }) => OPEN_MATTERS[kind](count)).join(', ')

export const EVENT_FIELDS = {
  name: 'Event name',
  date: 'Date',
  venue: 'Venue',
  venueHint: 'Name and address, as people type it into a map',
  description: 'Description',
  startTime: 'Start time',
  endTime: 'End time',
  endsNextDay: 'Ends the next day (after midnight)',
  timeHint: '24-hour, HH:MM',
  ticketPrice: 'Ticket price (₹)',
  groupPrice4: 'Group price for 4+ (₹ each)',
  totalTickets: 'Total tickets',
  features: 'Features',
  featuresHint: 'Separated by commas',
  aboutText: 'About text',
  aboutHint: 'Optional',
  salesFrom: 'Online sales begin',
  salesUntil: 'Online sales end',
  paused: 'Online sales paused',
  capacity: 'Capacity (people)',
  reentry: 'Coming back in',
  reentryUntil: 'Coming back until',
  eventImage: 'Event image',
} as const

export const TYPE_FORM = {
  types: 'An event has at least one ticket type',
  tooManyTypes: 'These are too many ticket types',
  name: 'Enter an English name of at most 40 characters',
  translatedName: 'A name in another language can have at most 40 characters',
  noteTooLong: 'The note for the gate must be at most 200 characters',
  seats: 'Seats of a type must be a whole number above 0, or empty',
  admits: 'A ticket type lets in 1 to 4 people',
  maxPerOrder: 'At most per order must be a whole number above 0, or empty',
  moment: 'Enter a day and a time',
  price: 'Enter prices above ₹0',
  decimals: 'Prices can have at most 2 decimal places',
  phases: 'A ticket type has 1 to 10 prices',
  sold: 'A number sold must be a whole number above 0, or empty',
  openPhase: 'Every price but the last needs an end, by time or by number sold',
  lastPhase: 'The last price has no end',
  phaseOrder: 'Each price must end after the one before it',
  untilBeforeFrom: 'Sales of a type must end after they begin',
  quantity: 'Choose how many',
  typeTwice: 'Each ticket type can be in an order once',
  unknownType: 'This ticket type does not exist. Reload the page.',
  stillSold: (name: string) => `${name} was sold, so it cannot be deleted. Pause it instead.`,
  belowTaken: (name: string, taken: number) =>
    `${name}: seats cannot be less than the ${formatCount(taken)} already sold or held`,
  admitsFixed: (name: string) => `${name} was sold, so the number of people it lets in cannot change`,
} as const

export const CODE_FORM = {
  code: 'Enter a code of at most 40 characters',
  kind: 'Choose what the code does',
  value: 'Enter how much the code takes off',
  percent: 'A code can take off at most 100 per cent',
  noValue: 'A code that shows hidden types takes nothing off',
  untilPast: 'Enter a time that is still to come',
  count: 'Enter a whole number above 0, or nothing',
  noteTooLong: 'The note is too long',
  exists: 'This code exists already',
} as const
