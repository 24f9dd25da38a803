import type { Evening } from '../contracts/desk.ts'

const LATELY_MS = 10 * 60_000

/** How many came in during the last ten minutes, the one under way at `at` (ISO) included; minutes without anybody may be missing. */
export const enteredLately = ({ perMinute, at }: Pick<Evening, 'perMinute' | 'at'>): number =>
  perMinute.reduce((sum, { minute, count }) => (Date.parse(minute) > Date.parse(at) - LATELY_MS ? sum + count : sum), 0)
