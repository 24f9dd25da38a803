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
