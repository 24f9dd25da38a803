import { monotonicFactory } from 'ulid'

const next = monotonicFactory()

/** A ULID that sorts by the time given, and after every other made here in the same millisecond. */
export const newId = (at: Date): string => next(at.getTime())
