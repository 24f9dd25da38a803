import type { GarbaEvent } from '../contracts/event.ts'
import type { User } from '../contracts/people/user.ts'
import type { Ticket } from '../contracts/ticket.ts'
import { ulidOf } from './ids.ts'

const CREATED = '2025-08-01T06:30:00.000Z'
const LATER = '2025-08-20T06:30:00.000Z'

/** An active ticket as the API answers it; the facts that go with another status follow it unless given. */
export function aTicket(overrides: Partial<Ticket> = {}): Ticket {
  const id = overrides._id ?? ulidOf(1)
  const status = overrides.status ?? 'active'
  const used = status === 'used'
  const cancelled = status === 'cancelled'
  return {
    _id: id,
    id,
    ticketId: id,
    user: { _id: ulidOf(100), name: 'Garima Guest', email: 'guest@garba.test' },
    eventName: 'Garba Rass 2025',
    isPast: false,
    price: 299,
    status,
    createdAt: CREATED,
    updatedAt: status === 'active' ? CREATED : LATER,
    qrCode: status === 'active' ? `GR1:${'0'.repeat(118)}` : null,
    entryTime: used ? LATER : null,
    scannedBy: used ? { name: 'Chetan Checker' } : null,
    cancelledAt: cancelled ? LATER : null,
    cancellationReason: cancelled ? 'Family function on the same day' : null,
    isRefundDone: null,
    holderName: null,
    number: 1,
    newCodes: 0,
    ...overrides,
  }
}

/** The event as the API answers it: 22 September 2025, 18:30 to 22:30 in Kolkata, 500 tickets of which 480 remain. */
export function anEvent(overrides: Partial<GarbaEvent> = {}): GarbaEvent {
  return {
    _id: ulidOf(500),
    name: 'Garba Rass 2025',
    venue: 'Riverfront Ground, Ahmedabad',
    description: 'One night of garba and raas before Navratri.',
    date: '2025-09-22',
    startTime: '18:30',
    endTime: '22:30',
    endsNextDay: false,
    startsAt: '2025-09-22T13:00:00.000Z',
    endsAt: '2025-09-22T17:00:00.000Z',
    ticketPrice: 299,
    groupPrice4: 249,
    totalTickets: 500,
    availableTickets: 480,
    eventImage: null,
    features: ['Live dhol', 'Food stalls'],
    aboutText: null,
    createdAt: CREATED,
    updatedAt: CREATED,
    ...overrides,
  }
}

/** A guest as the API answers one; name and picture are under both of their names. */
export function aUser(overrides: Partial<User> = {}): User {
  const name = overrides.name ?? overrides.displayName ?? 'Garima Guest'
  const picture = overrides.profilePicture ?? overrides.photoURL ?? null
  return {
    _id: ulidOf(100),
    name,
    displayName: name,
    email: 'guest@garba.test',
    role: 'guest',
    profilePicture: picture,
    photoURL: picture,
    firebaseUID: 'demo-guest',
    createdAt: CREATED,
    lastLogin: LATER,
    ...overrides,
  }
}
