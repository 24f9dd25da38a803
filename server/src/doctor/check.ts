import type { SystemCheck } from '@garba/shared/contracts/desk'
import { DOCTOR } from '@garba/shared/messages/doctor'
import { getErrorCode } from '../errorCode.ts'

export type Check = SystemCheck

export const buildOk = (name: string, detail: string): Check => ({ name, status: 'ok', detail })
export const buildWarning = (name: string, detail: string, cure?: string): Check => ({
  name,
  status: 'warning',
  detail,
  ...(cure === undefined ? {} : { cure }),
})
export const buildFailure = (name: string, detail: string, cure?: string): Check => ({
  ...buildWarning(name, detail, cure),
  status: 'failure',
})

const WHY: Readonly<Record<string, string>> = {
  EAI_AGAIN: DOCTOR.why.noName,
  ENOTFOUND: DOCTOR.why.noName,
  EDNS: DOCTOR.why.noName,
  ECONNREFUSED: DOCTOR.why.refused,
  ETIMEDOUT: DOCTOR.why.late,
  TimeoutError: DOCTOR.why.late,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: DOCTOR.why.untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: DOCTOR.why.untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: DOCTOR.why.untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: DOCTOR.why.otherName,
  CERT_HAS_EXPIRED: DOCTOR.why.ended,
  CERTIFICATE: DOCTOR.why.untrusted,
  // Caddy answers with this for a name whose certificate is pending.
  ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR: DOCTOR.why.none,
}

/** A few words about an error, without request or response data: they may hold addresses or keys. */
export function formatErrorReason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return whyOfCode(getErrorCode(error) || (error.cause instanceof Error ? error.cause : error).name)
}

export const whyOfCode = (code: string): string => WHY[code] ?? code
