import { readEventRefunds } from '../../flows/cancel/eventRefunds.ts'
import { previewEventState, setEventState, setRefundsPaused } from '../../flows/cancel/eventState.ts'
import { closeEvent, listOpenMatters } from '../../flows/event/closeEvent.ts'
import { listClosedEvents, readEvent, readImage } from '../../flows/event/readEvent.ts'
import { changeEvent, createEvent } from '../../flows/event/saveEvent.ts'
import { siteConfig } from '../../flows/event/siteConfig.ts'
import { readDeskTypes } from '../../flows/event/ticketTypes.ts'
import { changePromoCode, listCodes, makePromoCode, readOfferedEvent } from '../../flows/tickets/promoCodes.ts'
import { logClientError } from '../../flows/watch/logClientError.ts'
import { IMMUTABLE, isKnown, sendAsset } from '../assets.ts'
import { requireIdempotencyKey } from '../context.ts'
import { limitGuesses } from '../limits.ts'
import type { Routes } from '../mount.ts'
import { openApiFile } from '../openapi.ts'

export const eventRoutes = {
  event: async ({ deps, query, limits, c }) => {
    const { code } = query
    const read = () => readOfferedEvent(deps, code)
    return code === undefined ? read() : limitGuesses({ deps, limits, c }, read)
  },
  deskTypes: ({ deps }) => readDeskTypes(deps),
  makePromoCode: async ({ deps, user, body }) => ({ code: await makePromoCode(deps, { ...body, admin: user }) }),
  promoCodes: async ({ deps }) => ({ codes: await listCodes(deps) }),
  changePromoCode: async ({ deps, user, body, params }) => ({
    code: await changePromoCode(deps, { ...body, ...params, admin: user }),
  }),
  eventExists: async ({ deps }) => ({ exists: (await readEvent(deps)) !== null }),
  createEvent: async ({ deps, user, body }) => ({ data: await createEvent(deps, { user, input: body }) }),
  updateEvent: ({ deps, user, body }) => changeEvent(deps, { user, input: body }),
  closedEvents: async ({ deps }) => ({ events: await listClosedEvents(deps) }),
  openMatters: async ({ deps, params }) => ({ matters: await listOpenMatters(deps, params.id) }),
  closeEvent: async ({ deps, user, body, params }) => ({
    data: await closeEvent(deps, { admin: user, ...params, anyway: body?.anyway ?? false, seen: body?.matters }),
  }),
  setEventState: async ({ deps, user, body, c }) => ({
    data: await setEventState(deps, { ...body, admin: user, idempotencyKey: requireIdempotencyKey(c) }),
  }),
  previewEventState: async ({ deps }) => ({ data: await previewEventState(deps) }),
  eventRefunds: ({ deps }) => readEventRefunds(deps),
  pauseEventRefunds: async ({ deps, user, body }) => {
    await setRefundsPaused(deps, { admin: user, ...body })
    return readEventRefunds(deps)
  },
  eventImage: async ({ deps, params, c }) => {
    const { hash, bytes, type } = await readImage(deps, params.hash)
    const headers = { 'Content-Type': type, 'Cache-Control': IMMUTABLE, ETag: `"${hash}"` }
    return isKnown(c, headers.ETag) ? c.body(null, 304, headers) : c.body(new Uint8Array(bytes), 200, headers)
  },
  config: ({ deps }) => siteConfig(deps),
  logError: ({ deps, body }) => {
    logClientError(deps, body)
    return {}
  },
  openapi: ({ deps, c }) => sendAsset(c, openApiFile(deps)),
} satisfies Routes
