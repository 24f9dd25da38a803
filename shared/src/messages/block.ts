import { dateFormat } from './formats.ts'
import { formatCount } from './language.ts'

/** '2025-09-22' as Mon, 22 Sep 2025. */
export const dayText = (day: string): string =>
  dateFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  )

const numbersText = ({ from, to }: { from: number; to: number }): string =>
  from === to ? `${from}` : `${from} to ${to}`

/** What is wrong with the fields of a block, and what is printed on paper tickets. */
export const BLOCK = {
  label: 'Enter a name of at most 80 characters, such as the reseller who gets the tickets',
  sizeInPhone: 'Choose 1 to 100 codes. A phone holds at most 200 unsold ones',
  scanIds: 'There must be a scan for each ticket, or none',
  atDoor: 'Sold at the door',
  noSeatReason: 'Sold at the door when no seat was left',
  noSeat: (seats: number, quantity: number, seller: string) =>
    `${seats} of ${quantity} ${quantity === 1 ? 'ticket' : 'tickets'}, sold by ${seller} with codes that had been returned`,
  phoneEnded: (quantity: number, seller: string) =>
    `${quantity} ${quantity === 1 ? 'ticket' : 'tickets'}, sold by ${seller} before the phone ended or lost the right to sell`,
  noShift: (name: string) => `named ${name} as the seller, who had no shift on this phone`,
  notSold: (numbers: string) =>
    `No tickets were made for ${numbers}. Sell at the desk if the buyer has paid, or give the money back`,
  leaseEnded: 'Lease ended',
  size: 'Enter how many tickets to print, 1 to 500',
  range: 'Enter the first and the last number, both within the block',
  numbers: numbersText,
  made: (kind: 'paper' | 'device', size: number) =>
    `${formatCount(size)} ${size === 1 ? 'code' : 'codes'} ${kind === 'paper' ? 'for paper tickets' : 'for sale at the door'}`,
  left: (codes: number) => `${formatCount(codes)} unsold ${codes === 1 ? 'code' : 'codes'} returned`,
  returned: (from: number, to: number) => `Returned: ${numbersText({ from, to })}`,
} as const
