import { formatCount, formatTicketCount } from '@garba/shared/messages/language'

const nSales = (n: number) => (n === 1 ? '1 sale' : `${formatCount(n)} sales`)

export const PHONE_SALES = {
  menu: 'Sales without cash',
  title: (phone: string) => `Sales without cash by ${phone}`,
  loading: 'Loading the sales',
  loadFailed: (reason: string) => `Failed to load the sales: ${reason}`,
  none: 'This phone has sold nothing without cash that is still to be proven.',
  text: 'The seller says that these were paid by UPI or card, or gave them away. Nobody has seen the money yet.',
  used: (n: number) =>
    n === 1
      ? 'Someone has gone in with 1 of these tickets'
      : `People have gone in with ${formatCount(n)} of these tickets`,
  sale: ({
    method,
    quantity,
    total,
    number,
  }: {
    method: string
    quantity: number
    total: string
    number: string | null
  }) => [`${method}${number === null ? '' : ` ${number}`}`, formatTicketCount(quantity), total].join(', '),
  held: 'waits for the bank',
  isLooked: 'looked at',
  sum: (sales: number, tickets: number, total: string) => `${nSales(sales)}, ${formatTicketCount(tickets)}, ${total}`,
  look: 'I have looked',
  looked: 'The phone may sell 200 more tickets without cash',
  cancel: 'Cancel these sales',
  cancelled: 'Sales cancelled',
  failed: (reason: string) => `Nothing was changed: ${reason}`,
  close: 'Close',
  dialog: (used: number) => ({
    title: 'Cancel these sales?',
    note: 'Reason',
    noteHint: 'It is shown on the tickets.',
    happens: `All of their tickets end${used > 0 ? ', also those of people inside' : ''}. No money goes back, because none was seen. Sales with a refund stay.`,
    save: 'Cancel the sales',
    saving: 'Cancelling...',
    cancel: 'Keep',
  }),
} as const
