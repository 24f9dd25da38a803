import { EPOCH_HEADER } from '@garba/shared/constants'
import { createMiddleware } from 'hono/factory'
import type { Epoch } from '../flows/epoch.ts'
import type { Env } from './context.ts'

/** Says on every answer which epoch the data is of (DECISIONS 9). */
export const epochHeader = ({ token }: Epoch) =>
  createMiddleware<Env>(async (c, next) => {
    // Before the response exists, as in http/headers.
    c.header(EPOCH_HEADER, token)
    await next()
  })
