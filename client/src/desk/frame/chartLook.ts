/** The look of the desk's charts: horizontal hairlines, and axes with figures but no line. */
export const GRID = { vertical: false, stroke: 'var(--line)' } as const

export const AXIS = { tickLine: false, axisLine: false, stroke: 'var(--text-soft)', fontSize: 12 } as const

export const MARGIN = { top: 8, right: 8, bottom: 0, left: 0 } as const
