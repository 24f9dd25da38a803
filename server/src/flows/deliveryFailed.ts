/** A mail or a push message was not delivered. The message is a status or a reason, never an address. */
export class DeliveryFailed extends Error {
  override name = 'DeliveryFailed'
  /** How long to wait at least until it is sent again (ms); null if it will never be accepted. */
  readonly pauseMs: number | null
  constructor(why: string, pauseMs: number | null) {
    super(why)
    this.pauseMs = pauseMs
  }
}
