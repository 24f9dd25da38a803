/** How the desk's charts look: hairlines across, and axes that say their figures without a line of their own. */
export const GRID = { vertical: false, stroke: 'var(--line)' } as const

export const AXIS = { tickLine: false, axisLine: false, stroke: 'var(--text-soft)', fontSize: 12 } as const

export const MARGIN = { top: 8, right: 8, bottom: 0, left: 0 } as const
