/** The tag under which the worker is woken, and the message by which it passes that on to the open pages. */
export const SYNC_TAG = 'garba-outbox'
export const SYNC_MESSAGE = 'garba-send-outbox'
