import { instantSchema, success } from './common.ts'
import * as z from './zod.ts'

/** A mail that a demo wrote to its folder instead of sending it. */
const demoMailSchema = z.object({
  id: z.string(),
  to: z.string(),
  subject: z.string(),
  at: instantSchema,
  text: z.string(),
  /** With its pictures inside. */
  html: z.string(),
})
export type DemoMail = z.infer<typeof demoMailSchema>
export const demoMailsAnswerSchema = success({ mails: z.array(demoMailSchema) })
