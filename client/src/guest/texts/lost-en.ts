import { formatCount } from '@garba/shared/messages/language'

/** The words for tickets that only this device still knows. */
export const lost = {
  title: 'Tickets being checked',
  /** After how many are ready for entry. */
  beside: (n: number) => (n === 1 ? 'One more is being checked.' : `${formatCount(n)} more are being checked.`),
  explained:
    'The organiser had to restore an older copy of the data, and these tickets are missing from it. Keep them here while the organiser checks them. You don’t need to do anything.',
  state: { unsent: 'To be checked', waiting: 'Being checked', refused: 'Not accepted' },
  says: {
    unsent: 'This ticket will be sent to the organiser as soon as you are online.',
    waiting: 'The organiser has the code and will decide. If the event starts before then, show the code at the gate.',
  },
  why: {
    desk: 'The organiser could not confirm this ticket.',
    otherEvent: 'This ticket is not for the current event.',
    invalid: 'The code of this ticket is no longer valid.',
  },
  note: (note: string) => `The organiser says: ${note}`,
  remove: 'Remove',
  removeOf: (last8: string) => `Remove ticket ${last8}`,
} as const
