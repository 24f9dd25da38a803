import { BULK_UPDATE_MAX, FIRST_NAME_MAX, LOST_OFFER_MAX } from '../constants.ts'
import {
  daySchema,
  defineAnswer,
  instantSchema,
  optionalNameSchema,
  pageQueryShape,
  ticketStatusSchema,
  ulidSchema,
} from './common.ts'
import { LINK_PURPOSES } from './names.ts'
import { heldTypeSchema } from './types/ticketType.ts'
import * as z from './zod.ts'

const linkPurposeSchema = z.enum(LINK_PURPOSES)

export const makeLinkBodySchema = z.strictObject({
  ticketIds: z.array(ulidSchema).min(1).max(BULK_UPDATE_MAX),
  purpose: linkPurposeSchema,
  /** The sender's first name, as the link's holder reads it. */
  from: optionalNameSchema(FIRST_NAME_MAX).optional(),
})
/** Only this answer has the address, because the server keeps only a hash of its token. */
export const madeLinkSchema = defineAnswer({ link: z.object({ id: ulidSchema, url: z.url(), until: instantSchema }) })

export const linksQuerySchema = z.object({ ticket: ulidSchema.optional(), page: pageQueryShape.page })
const ticketLinkSchema = z.object({
  id: ulidSchema,
  purpose: linkPurposeSchema,
  tickets: z.number().int(),
  createdAt: instantSchema,
  until: instantSchema,
  devices: z.number().int(),
  endedAt: instantSchema.nullable(),
})
export type TicketLink = z.infer<typeof ticketLinkSchema>
export const linksAnswerSchema = defineAnswer({ links: z.array(ticketLinkSchema), more: z.boolean() })

/** `deviceId` is any text that a device keeps, so that opening a link again does not count as another device. */
export const openWalletBodySchema = z.strictObject({
  token: z.string().min(1).max(100),
  deviceId: z.string().min(1).max(64),
  /** Codes that this link used to show on this device: a restored server may have lost newer codes of its tickets. */
  codes: z.array(z.string().max(1024)).max(LOST_OFFER_MAX).optional(),
})
const walletEventSchema = z.object({
  _id: ulidSchema,
  name: z.string(),
  venue: z.string(),
  date: daySchema,
  startTime: z.string(),
  endTime: z.string(),
  endsNextDay: z.boolean().optional(),
  startsAt: instantSchema,
  endsAt: instantSchema,
  createdAt: instantSchema,
  updatedAt: instantSchema,
})
const walletTicketSchema = z.object({
  _id: ulidSchema,
  qrCode: z.string().nullable(),
  status: ticketStatusSchema,
  name: z.string(),
  number: z.number().int().default(0),
  type: heldTypeSchema.optional(),
})
/** A link's holder may see this, but no email, price or order. */
export const walletAnswerSchema = defineAnswer({
  event: walletEventSchema,
  tickets: z.array(walletTicketSchema),
  until: instantSchema,
  from: z.string().optional(),
  /** The first person to claim the tickets gets them into their account. */
  offer: z.literal(true).optional(),
})
export type Wallet = Omit<z.infer<typeof walletAnswerSchema>, 'success'>

export const claimWalletBodySchema = openWalletBodySchema
  .pick({ token: true, deviceId: true })
  .partial({ deviceId: true })
export const claimedWalletSchema = defineAnswer({ ticketIds: z.array(ulidSchema) })
