import { epochOf } from '@garba/shared/rules/phones/epoch'
import { useEpoch } from '../../platform/http/epoch.ts'

/**
 * The latest epoch of our server that this phone has met; 0 before any. An answer to a request is of this epoch, as noted when it
 * was sent, or of a later one.
 */
export const epochNow = (): number => epochOf(useEpoch.getState().token) ?? 0
