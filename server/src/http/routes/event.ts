import { readImage } from '../../flows/eventImage.ts'
import { readEvent } from '../../flows/readEvent.ts'
import { changeEvent, createEvent } from '../../flows/saveEvent.ts'
import type { Routes } from '../mount.ts'
import { readJson } from '../readJson.ts'

const FOR_EVER = 'public, max-age=31536000, immutable'

export const eventRoutes = {
  event: ({ deps }) => ({ data: readEvent(deps) }),
  eventExists: ({ deps }) => ({ exists: readEvent(deps) !== null }),
  createEvent: async ({ deps, user, c }) => ({ data: createEvent(deps, { user, input: await readJson(c) }) }),
  updateEvent: async ({ deps, user, c }) => ({ data: changeEvent(deps, { user, input: await readJson(c) }) }),
  eventImage: ({ deps, params, c }) => {
    const { bytes, type } = readImage(deps, params.hash ?? '')
    return c.body(new Uint8Array(bytes), 200, { 'Content-Type': type, 'Cache-Control': FOR_EVER })
  },
} satisfies Routes
