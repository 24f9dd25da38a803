import { PATHS } from '../paths.ts'
import * as site from '../site.ts'
import type { Calls } from './call.ts'

/** What the page itself needs. */
export const SITE_CALLS = {
  logError: {
    ...PATHS.logError,
    access: 'anyone',
    summary: 'Report a crash of the page',
    body: site.logErrorBodySchema,
    answer: site.acceptedSchema,
    status: 202,
  },
  config: { ...PATHS.config, access: 'anyone', summary: 'Run-time settings', answer: site.configAnswerSchema },
  openapi: { ...PATHS.openapi, access: 'anyone', summary: 'This document' },
} as const satisfies Calls
