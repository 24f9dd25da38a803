/** The sync tag that wakes the worker, and the message it then sends to the open pages. */
export const SYNC_TAG = 'garba-outbox'
export const SYNC_MESSAGE = 'garba-send-outbox'
