/** The words for tickets that only this device still knows (DECISIONS 9 "Restore, takeover, healing"). */
export const lost = {
  title: 'Tickets being checked',
  explained:
    'The organiser had to restore an older copy of the data, and these tickets are missing from it. Keep them here. The organiser is checking them, and you don’t need to do anything.',
  state: { unsent: 'To be checked', waiting: 'Being checked', refused: 'Not accepted' },
  says: {
    unsent: 'This ticket will be sent to the organiser as soon as you are online.',
    waiting: 'The organiser has the code and will decide. If the event begins first, show the code at the gate.',
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
