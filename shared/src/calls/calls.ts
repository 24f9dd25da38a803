import type * as z from 'zod'
import { demoMailsAnswerSchema, okSchema } from '../contracts/common.ts'
import * as desk from '../contracts/desk.ts'
import * as event from '../contracts/event.ts'
import * as eventState from '../contracts/eventState.ts'
import { type CallName, PATHS } from '../contracts/paths.ts'
import * as push from '../contracts/people/push.ts'
import * as user from '../contracts/people/user.ts'
import * as site from '../contracts/site/site.ts'
import * as ticket from '../contracts/ticket.ts'
import * as promo from '../contracts/types/promoCode.ts'
import { typesInputSchema } from '../contracts/types/ticketType.ts'
import { eventFormSchema } from '../rules/event/eventForm.ts'
import { ADMIN, type CallFacts, READERS } from './call.ts'
import { BLOCK_CALLS, DEVICE_CALLS, GATE_CALLS, GROUP_CALLS, LINK_CALLS, LOST_CALLS, SCAN_CALLS } from './gate.ts'
import { ORDER_CALLS } from './orders.ts'

/** The form without a date to compare with: the flow passes today's day to parseEventForm. */
const eventBodySchema = eventFormSchema()
const typesShape = { types: typesInputSchema.optional() }

const FACTS = {
  signIn: {
    access: 'anyone',
    summary: 'Sign in with an identity token',
    body: user.signInBodySchema,
    answer: user.signInAnswerSchema,
  },
  mailLink: {
    access: 'anyone',
    summary: 'Send a sign-in link by mail; the answer does not tell whether there is an account',
    body: user.mailLinkBodySchema,
    answer: okSchema,
  },
  me: { access: 'signedIn', summary: 'The signed-in user', answer: user.userAnswerSchema },
  profile: { access: 'signedIn', summary: 'The signed-in user', answer: user.userAnswerSchema },
  deleteMe: {
    access: 'signedIn',
    summary: 'Delete the own account with every name and email; sums stay',
    body: user.deleteMeBodySchema,
    answer: okSchema,
  },
  saveProfile: {
    access: 'signedIn',
    summary: 'Change display name or photo',
    body: user.profileBodySchema,
    answer: user.userAnswerSchema,
  },
  assignAdmin: {
    access: 'signedIn',
    summary: 'Become admin if the verified email is listed',
    answer: user.userAnswerSchema,
  },
  logout: { access: 'anyone', summary: 'Sign out; always succeeds', answer: okSchema },
  pushKey: {
    access: 'signedIn',
    summary: "The server's key for subscribing to notifications",
    answer: push.pushKeyAnswerSchema,
  },
  subscribePush: {
    access: 'signedIn',
    summary: 'Send notifications to this browser; the same endpoint again changes its keys and language',
    body: push.subscribePushBodySchema,
    answer: okSchema,
    status: 201,
  },
  unsubscribePush: {
    access: 'signedIn',
    summary: 'Send this browser no more notifications',
    body: push.unsubscribePushBodySchema,
    answer: okSchema,
  },

  event: {
    access: 'anyone',
    summary: 'The event with its ticket types, or null',
    query: event.eventCodeQuerySchema,
    answer: event.eventAnswerSchema,
  },
  eventExists: { access: 'anyone', summary: 'Whether there is an event', answer: event.eventExistsSchema },
  createEvent: {
    access: ADMIN,
    summary: 'Create the event',
    body: eventBodySchema.safeExtend(typesShape),
    answer: event.eventSavedSchema,
    status: 201,
  },
  updateEvent: {
    access: ADMIN,
    summary: 'Change the event, and tell ticket holders if asked to',
    body: eventBodySchema.safeExtend({ ...typesShape, ...event.changeEventShape }),
    answer: event.eventChangedSchema,
  },
  deskTypes: {
    access: READERS,
    summary: 'Ticket types as the desk edits them, with their phases',
    answer: event.deskTypesAnswerSchema,
  },
  makePromoCode: {
    access: ADMIN,
    summary: 'Make a code that lowers prices or shows hidden ticket types',
    body: promo.promoCodeBodySchema,
    answer: promo.promoCodeAnswerSchema,
    status: 201,
  },
  promoCodes: { access: ADMIN, summary: 'Codes with their use', answer: promo.promoCodesAnswerSchema },
  changePromoCode: {
    access: ADMIN,
    summary: 'Pause a code, or let it count again',
    body: promo.pausePromoCodeSchema,
    answer: promo.promoCodeAnswerSchema,
  },
  closedEvents: { access: READERS, summary: 'Closed events', answer: event.closedEventsSchema },
  setEventState: {
    access: ADMIN,
    summary: 'Delay, move or call off the event, or take that back; needs an Idempotency-Key header',
    body: eventState.eventStateBodySchema,
    answer: eventState.eventStateAnswerSchema,
  },
  previewEventState: {
    access: ADMIN,
    summary: "The event's state, and the people, money and mails that a change concerns",
    answer: eventState.statePreviewAnswerSchema,
  },
  eventRefunds: {
    access: ADMIN,
    summary: 'How far the refunds of an event called off are',
    answer: eventState.eventRefundsAnswerSchema,
  },
  pauseEventRefunds: {
    access: ADMIN,
    summary: 'Stop the refunds of an event called off, or let them go on',
    body: eventState.pauseRefundsBodySchema,
    answer: eventState.eventRefundsAnswerSchema,
  },
  openMatters: {
    access: ADMIN,
    summary: 'Matters to settle before an event is closed',
    answer: event.openMattersSchema,
  },
  closeEvent: {
    access: ADMIN,
    summary: 'Close a past event',
    body: event.closeEventBodySchema,
    answer: event.eventClosedSchema,
  },
  eventImage: { access: 'anyone', summary: 'A stored event image' },

  buyTickets: {
    access: 'signedIn',
    summary: 'Buy tickets; needs an Idempotency-Key header',
    body: ticket.buyBodySchema,
    answer: ticket.soldAnswerSchema,
    status: 201,
  },
  myTickets: { access: 'signedIn', summary: 'Own tickets, newest first', answer: ticket.ticketsAnswerSchema },
  allTickets: {
    access: ADMIN,
    summary: 'All tickets, a page at a time',
    query: ticket.ticketsQuerySchema,
    answer: ticket.ticketsPageSchema,
  },
  ticketStats: {
    access: READERS,
    summary: 'Tickets sold and revenue',
    query: event.eventQuerySchema,
    answer: ticket.ticketStatsSchema,
  },
  setTicketStatus: {
    access: ADMIN,
    summary: 'Set a ticket to any status',
    body: ticket.statusBodySchema,
    answer: ticket.ticketAnswerSchema,
  },
  cancelTicket: {
    access: 'signedIn',
    summary: 'Cancel an own active ticket',
    body: ticket.cancelBodySchema,
    answer: ticket.ticketAnswerSchema,
  },
  nameTicket: {
    access: 'signedIn',
    summary: "Set the holder's name of an own active ticket",
    body: ticket.nameBodySchema,
    answer: ticket.ticketAnswerSchema,
  },
  // Before `ticket`, whose path would match theirs.
  ...GROUP_CALLS,
  ...LOST_CALLS,
  ...LINK_CALLS,
  ticket: {
    access: 'signedIn',
    summary: 'One ticket, for its owner or an admin',
    answer: ticket.ticketWithImageSchema,
  },
  ticketManagement: {
    access: ADMIN,
    summary: 'Tickets by status, refund and search',
    query: ticket.ticketsQuerySchema,
    answer: ticket.ticketsPageSchema,
  },
  bulkUpdate: {
    access: ADMIN,
    summary: 'Set many tickets to one status, all or nothing',
    body: ticket.bulkBodySchema,
    answer: ticket.bulkAnswerSchema,
  },
  bulkRefund: {
    access: ADMIN,
    summary: 'Record the refunds of many cancelled tickets, all or nothing',
    body: ticket.bulkRefundBodySchema,
    answer: ticket.bulkAnswerSchema,
  },
  exportTickets: {
    access: ADMIN,
    summary: 'Tickets by status, refund and search as CSV or JSON',
    query: ticket.exportQuerySchema,
  },
  refund: {
    access: ADMIN,
    summary: 'Record the refund of a cancelled ticket',
    body: ticket.refundBodySchema,
    answer: ticket.ticketAnswerSchema,
  },
  deleteTicket: { access: ADMIN, summary: 'Delete a ticket', answer: okSchema },

  ...SCAN_CALLS,

  users: {
    access: READERS,
    summary: 'Users, a page at a time',
    query: user.usersQuerySchema,
    answer: user.usersAnswerSchema,
  },
  userCount: { access: READERS, summary: 'The number of users', answer: user.userCountAnswerSchema },
  setRole: { access: ADMIN, summary: "Change a user's role", body: user.roleBodySchema, answer: user.userAnswerSchema },
  deleteUser: { access: ADMIN, summary: 'Delete a user, keeping the tickets', answer: okSchema },
  exportUser: { access: ADMIN, summary: 'All that is stored about a person, as JSON' },
  eraseUser: {
    access: ADMIN,
    summary: 'Erase a guest: the account and every name and email; tickets and sums stay',
    answer: okSchema,
  },
  analytics: {
    access: READERS,
    summary: 'Sales figures',
    query: event.eventQuerySchema,
    answer: desk.analyticsAnswerSchema,
  },
  audit: {
    access: ADMIN,
    summary: 'The audit trail, a page at a time',
    query: desk.auditQuerySchema,
    answer: desk.auditAnswerSchema,
  },
  exportAudit: { access: ADMIN, summary: 'The audit trail as CSV', query: desk.auditQuerySchema },
  demoMails: {
    access: ADMIN,
    summary: 'Mails that a demo wrote instead of sending them',
    answer: demoMailsAnswerSchema,
  },
  sendMailsAgain: {
    access: ADMIN,
    summary: 'Send now every mail that the mail server has not taken, also those given up',
    answer: desk.mailsSentAgainSchema,
  },
  health: { access: ADMIN, summary: 'State of the system', answer: desk.healthAnswerSchema },

  systemChecks: { access: ADMIN, summary: 'Check everything an evening needs', answer: desk.systemChecksSchema },
  backUpNow: {
    access: ADMIN,
    summary: 'Make a backup now, checked by opening it; requests during one share it',
    answer: desk.backedUpSchema,
  },

  ...ORDER_CALLS,
  ...BLOCK_CALLS,
  ...DEVICE_CALLS,
  ...GATE_CALLS,

  logError: {
    access: 'anyone',
    summary: 'Report a crash of the page',
    body: site.logErrorBodySchema,
    answer: site.acceptedSchema,
    status: 202,
  },
  config: { access: 'anyone', summary: 'Run-time settings', answer: site.configAnswerSchema },
  openapi: { access: 'anyone', summary: 'This document' },
} as const satisfies Record<CallName, CallFacts>

type Calls = { readonly [N in CallName]: (typeof PATHS)[N] & (typeof FACTS)[N] }

/**
 * Every call of the API, listed once: the server mounts its routes by these names, the OpenAPI document is generated
 * from them, the client parses its answers by them and the authorisation test walks them.
 */
export const CALLS = Object.fromEntries(
  Object.entries(FACTS).map(([name, facts]) => [name, { ...PATHS[name as CallName], ...facts }]),
) as unknown as Calls

export type CallInput<N extends CallName, Part extends 'body' | 'query' = 'body'> =
  Calls[N] extends Record<Part, infer S extends z.ZodType> ? z.output<S> : undefined
