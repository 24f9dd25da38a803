/** What is to be judged: a code that was read, or a ticket that was chosen by hand. */
export type Subject = { by: 'code'; text: string } | { by: 'hand'; ticketId: string }

export interface Scan {
  scanId: string
  subject: Subject
  /** Device time in ms. */
  at: number
}

/** Who scans, and by what: goes with every call of a scan. */
export interface Station {
  deviceId: string
  deviceName: string
  checkerId: string
  checkerUid: string
  checkerName: string
  /** Server time minus device time in ms. */
  clockOffset: number
}
