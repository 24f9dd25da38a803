import { formatCount } from './language.ts'

/** Messages for the ticket types of POST and PUT /event, and of the desk's form for them. */
export const TYPE_FORM = {
  types: 'An event has at least one ticket type',
  tooManyTypes: 'These are too many ticket types',
  name: 'Enter an English name of at most 40 characters',
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
  count: 'Enter a whole number above 0, or nothing',
  noteTooLong: 'The note is too long',
  exists: 'This code exists already',
} as const
