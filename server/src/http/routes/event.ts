import { readImage } from '../../flows/eventImage.ts'
import { readEvent } from '../../flows/readEvent.ts'
import { changeEvent, createEvent } from '../../flows/saveEvent.ts'
import type { Routes } from '../mount.ts'

const FOR_EVER = 'public, max-age=31536000, immutable'

export const eventRoutes = {
  event: ({ deps }) => ({ data: readEvent(deps) }),
  eventExists: ({ deps }) => ({ exists: readEvent(deps) !== null }),
  createEvent: ({ deps, user, body }) => ({ data: createEvent(deps, { user, input: body }) }),
  updateEvent: ({ deps, user, body }) => ({ data: changeEvent(deps, { user, input: body }) }),
  eventImage: ({ deps, params, c }) => {
    const { bytes, type } = readImage(deps, params.hash ?? '')
    return c.body(new Uint8Array(bytes), 200, { 'Content-Type': type, 'Cache-Control': FOR_EVER })
  },
} satisfies Routes
