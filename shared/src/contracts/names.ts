export const ROLES = ['guest', 'admin', 'manager', 'qrchecker'] as const
export type Role = (typeof ROLES)[number]

export const TICKET_STATUSES = ['active', 'used', 'cancelled'] as const
export type TicketStatus = (typeof TICKET_STATUSES)[number]
