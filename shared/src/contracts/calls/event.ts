import { eventFormSchema } from '../../rules/eventForm.ts'
import * as event from '../event.ts'
import { PATHS } from '../paths.ts'
import { ADMIN, type Calls } from './call.ts'

/** The form without its clock: the flow asks parseEventForm with today's day. */
const eventBodySchema = eventFormSchema()

/** The event and its picture. */
export const EVENT_CALLS = {
  event: { ...PATHS.event, access: 'anyone', summary: 'The event, or null', answer: event.eventAnswerSchema },
  eventExists: {
    ...PATHS.eventExists,
    access: 'anyone',
    summary: 'Whether there is an event',
    answer: event.eventExistsSchema,
  },
  createEvent: {
    ...PATHS.createEvent,
    access: ADMIN,
    summary: 'Create the event',
    body: eventBodySchema,
    answer: event.eventSavedSchema,
    status: 201,
  },
  updateEvent: {
    ...PATHS.updateEvent,
    access: ADMIN,
    summary: 'Change the event',
    body: eventBodySchema,
    answer: event.eventSavedSchema,
  },
  eventImage: { ...PATHS.eventImage, access: 'anyone', summary: 'A stored event image' },
} as const satisfies Calls
