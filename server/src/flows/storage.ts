import { isPassing } from '../store/unusable.ts'

/** Whether an error means that the database cannot answer just now: locked, disk full, disk error. */
export const isNotNow = (error: unknown): boolean => isPassing(error)
