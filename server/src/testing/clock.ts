/** Where the clock of every test starts: 45 days before the event in `eventForm`. */
export const BEGINNING = new Date('2025-08-08T12:00:00.000Z')

export interface Clock {
  now: () => Date
  forward: (milliseconds: number) => void
  set: (moment: Date | string) => void
}

export function makeClock(start: Date): Clock {
  let at = start.getTime()
  return {
    now: () => new Date(at),
    forward: (milliseconds) => {
      at += milliseconds
    },
    set: (moment) => {
      at = new Date(moment).getTime()
    },
  }
}
