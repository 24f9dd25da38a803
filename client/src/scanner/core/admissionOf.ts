import type { LocalAdmission, OutboxRow } from '../../platform/store/scannerSchema.ts'

/** What an unsent scan tells this device about its ticket. */
export const admissionOf = (row: OutboxRow): LocalAdmission => ({
  ticketId: row.ticketId,
  scanId: row.scanId,
  at: new Date(Date.parse(row.scannedAt) + row.clockOffset).toISOString(),
  name: row.name,
  checkerName: row.checkerName,
  deviceName: row.deviceName,
  settledAt: null,
})
