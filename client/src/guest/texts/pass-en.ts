/** The words of the full-screen codes for the gate. */
export const entryPass = {
  title: 'Show at gate',
  of: (at: number, of: number) => `${at} of ${of}`,
  previous: 'Previous ticket',
  next: 'Next ticket',
  list: 'Your tickets for the gate',
  bright: 'Turn your screen up to full brightness. It stays awake here.',
  brightOnly: 'Turn your screen up to full brightness.',
  all: (n: number) => `All ${n}`,
  oneByOne: 'One by one',
  groupCode: (n: number) => `One code for ${n} tickets`,
  qrOfGroup: (n: number) => `QR code of ${n} tickets`,
  members: 'Tickets of this code',
  nothing: 'No active tickets',
  nothingDetail: 'There is no ticket left to show.',
  backToTickets: 'Back to my tickets',
} as const
