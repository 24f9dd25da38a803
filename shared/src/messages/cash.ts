/** What was counted in a drawer, against what should be there. */
export const COUNTED = {
  exact: 'Exactly as expected.',
  over: (amount: string) => `${amount} more than expected.`,
  short: (amount: string) => `${amount} less than expected.`,
} as const
