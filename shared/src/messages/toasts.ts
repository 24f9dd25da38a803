/** The toasts, whose words the spec fixes; `reason` is a sentence that can be shown to people. */

export const FAILURE_TOASTS = {
  loadEvent: (reason: string) => `Failed to load event information: ${reason}`,
  fixErrors: 'Please fix the validation errors',
  createEvent: (reason: string) => `Failed to create event: ${reason}`,
  updateEvent: (reason: string) => `Failed to update event: ${reason}`,
  processImage: 'Failed to process image',
  loadUsers: (reason: string) => `Failed to load users: ${reason}`,
  deleteUser: (reason: string) => `Failed to delete user: ${reason}`,
  updateRole: (reason: string) => `Failed to update role: ${reason}`,
  loadTickets: (reason: string) => `Failed to load tickets: ${reason}`,
  exportTickets: (reason: string) => `Failed to export: ${reason}`,
  updateStatus: (reason: string) => `Failed to update status: ${reason}`,
  deleteTicket: (reason: string) => `Failed to delete: ${reason}`,
  updateTickets: (reason: string) => `Failed to update tickets: ${reason}`,
  loadAnalytics: (reason: string) => `Failed to load analytics: ${reason}`,
  loadData: (message: string) => `Failed to load data: ${message}`,
  purchase: (message: string) => `Failed to purchase tickets: ${message}`,
  cancelTicket: (message: string) => `Failed to cancel ticket: ${message}`,
  selectTicketsAndStatus: 'Please select tickets and status',
} as const

export const SUCCESS_TOASTS = {
  eventCreated: 'Event created successfully! 🎉',
  eventUpdated: 'Event updated successfully! ✨',
  userDeleted: 'User deleted successfully',
  roleUpdated: 'User role updated successfully',
  statusUpdated: 'Ticket status updated successfully',
  ticketDeleted: 'Ticket deleted successfully',
  ticketsUpdated: (n: number) => `Updated ${n} tickets successfully`,
  ticketsExported: 'Tickets exported successfully',
  adminAssigned: 'Admin role assigned successfully!',
  qrDownloaded: 'QR Code downloaded successfully!',
  ticketIdCopied: 'Ticket ID copied to clipboard!',
  dataRefreshed: 'Data refreshed successfully!',
  ticketCancelled: '🚫 Ticket cancelled successfully!',
  ticketsPurchased: (n: number) => `🎉 ${n} ticket(s) purchased successfully!`,
} as const
