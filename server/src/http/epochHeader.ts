import { EPOCH_HEADER } from '@garba/shared/constants'
import { createMiddleware } from 'hono/factory'
import type { Epoch } from '../flows/recovery/epoch.ts'
import type { Env } from './context.ts'

/** Sends the epoch of the data with every answer, and passes on the epoch a client has seen. */
export const epochHeader = ({ token, hear }: Epoch) =>
  createMiddleware<Env>(async (c, next) => {
    // Set before the response exists, as in http/headers.
    c.header(EPOCH_HEADER, token)
    const shown = c.req.header(EPOCH_HEADER)
    if (shown !== undefined && shown !== token) hear(shown)
    await next()
  })
