import { formatCount } from '@garba/shared/messages/language'

export const INSIDE = {
  title: 'Inside now',
  between: (low: number, high: number) =>
    low === high ? formatCount(low) : `${formatCount(low)} to ${formatCount(high)}`,
  of: (capacity: number) => `of ${formatCount(capacity)} allowed`,
  silent: (phones: number, minutes: number) =>
    `${phones === 1 ? '1 phone' : `${formatCount(phones)} phones`} silent for ${formatCount(minutes)} min`,
  nearly: (left: number) => `Nearly full: ${formatCount(left)} left`,
  full: 'Full: hold the gates',
  allIn: (time: string, error: number) =>
    error < 2 ? `All in by about ${time}` : `All in by about ${time}, give or take ${formatCount(error)} min`,
  uneven: ({ busy, calm, times }: { busy: string; calm: string; times: number }) =>
    `${busy} is ${times === 3 ? 'three' : formatCount(times)} times as busy as ${calm}: move one phone`,
  left: 'Left',
} as const

export const REGISTER = {
  open: 'Register',
  print: 'Print',
  loading: 'Loading the register',
  failed: (reason: string) => `The register could not be loaded: ${reason}`,
  exportCsv: 'Export CSV of each minute and gate',
  evacuate: 'Evacuation',
  evening: 'In all',
  nothing: 'Nothing has happened at the gates.',
  event: 'Event',
  most: 'Most people inside',
  mostAt: (people: number, time: string) => `${formatCount(people)} at ${time}`,
  closed: 'Closed',
  closedBy: (name: string, time: string) => `by ${name}, ${time}`,
  notClosed: 'Not yet',
  gates: 'By gate',
  quarters: 'Every 15 minutes',
  channels: 'Tickets by channel',
  forecasts: 'When all would be in',
  columns: {
    gate: 'Gate',
    from: 'From',
    in: 'In',
    returned: 'Back',
    out: 'Out',
    counted: 'Counted',
    inside: 'Inside',
    refused: 'Refused',
    doubles: 'Doubles',
    alarms: 'Alarm signs',
    channel: 'Channel',
    sold: 'Sold',
    used: 'Used',
    at: 'Forecast at',
    allInBy: 'All in by',
    off: 'Off by',
  },
  alarmsNote:
    'In includes people who came back. Alarm signs are entries by hand, dated late or taken back, and unknown codes.',
} as const

export const EVACUATION = {
  asOf: (time: string) => `As of ${time}`,
  gates: 'By gate',
  noGates: 'Nobody has come in at a gate.',
  gatesNote: 'A gate has the people who came in there less those who left there, so it may be below 0.',
  away: 'Out of contact',
  none: 'Every phone is in contact and has sent everything.',
  phone: 'Phone',
  person: 'Who has it',
  seen: 'Last contact',
  unsent: 'Scans not sent',
  silent: (minutes: number) => `silent for ${formatCount(minutes)} min`,
} as const
