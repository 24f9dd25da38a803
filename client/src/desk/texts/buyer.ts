import { formatTicketCount } from '@garba/shared/messages/language'

export const CHANGE_BUYER = {
  action: 'Change buyer',
  title: 'Change the buyer',
  save: 'Change buyer',
  saving: 'Changing...',
  cancel: 'Cancel',
  of: (code: string) => `Order ${code}: correct a name or an address, or hand the order to another person.`,
  name: 'Name',
  email: 'Email',
  emailHint: 'The tickets are sent here. Leave it empty if there is none.',
  phone: 'Phone',
  reason: 'Why?',
  claimed: (n: number) => `Also take ${formatTicketCount(n)} that an account has claimed`,
  happens: (n: number) =>
    n === 0
      ? 'Links to the tickets end, and an account that has them by the old address loses them.'
      : `${formatTicketCount(n)} ${n === 1 ? 'gets a new code' : 'get new codes'}; the old ones let nobody in. Links end, an account that has the tickets by the old address loses them, and the email with the tickets goes out again.`,
  keeps: 'Links and codes stay as they are.',
  nothing: 'Change something first.',
  failed: (reason: string) => `The buyer was not changed: ${reason}`,
} as const
