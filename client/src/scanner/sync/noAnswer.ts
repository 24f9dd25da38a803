/** Asked too early, too slowly or too often: the same call may be answered later. */
const LATER: ReadonlySet<number> = new Set([408, 425, 429])

/**
 * No answer that could decide anything: none came (status 0), the server is in trouble, or it wants to be asked later. At the
 * scan the device decides then; in the replay the row is sent again (DECISIONS 3).
 */
export const isNoAnswer = (status: number): boolean => status === 0 || status >= 500 || LATER.has(status)

/** The same for a call as a whole, which has no ticket to miss: a 404 comes from a server that is not ours, or not yet. */
export const isNoAnswerToCall = (status: number): boolean => isNoAnswer(status) || status === 404
