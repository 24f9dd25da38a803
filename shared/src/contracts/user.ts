import { NAME_MAX, PHOTO_URL_MAX } from '../constants.ts'
import { VALIDATION } from '../messages/common.ts'
import { LANGUAGES } from '../messages/language.ts'
import {
  filterBy,
  instantSchema,
  nameSchema,
  pageQueryShape,
  paginationShape,
  roleSchema,
  searchSchema,
  sortBy,
  success,
  ulidSchema,
} from './common.ts'
import * as z from './zod.ts'

export const userSchema = z.object({
  _id: ulidSchema,
  name: z.string(),
  displayName: z.string(),
  email: z.string(),
  role: roleSchema,
  profilePicture: z.string().nullable(),
  photoURL: z.string().nullable(),
  firebaseUID: z.string(),
  createdAt: instantSchema,
  lastLogin: instantSchema.nullable(),
})
export type User = z.infer<typeof userSchema>

export const signInBodySchema = z.strictObject({ idToken: z.string().min(1).max(8192) })
export const signInAnswerSchema = success({ user: userSchema, isNewUser: z.boolean() })

/** Requests a sign-in link by mail. The guest then continues with this number of tickets to buy, or at this order. */
export const mailLinkBodySchema = z.strictObject({
  email: z.string(VALIDATION.email).trim().max(200, VALIDATION.email).pipe(z.email(VALIDATION.email)),
  language: z.enum(LANGUAGES).optional(),
  tickets: z.number().int().min(1).max(10_000).optional(),
  order: z
    .string()
    .regex(/^[\w-]{1,40}$/)
    .optional(),
})
export const userAnswerSchema = success({ user: userSchema })

/** Users may change only these two fields; any other field in the body is refused by name. */
export const profileBodySchema = z.strictObject({
  displayName: nameSchema(NAME_MAX, VALIDATION.displayName).optional(),
  photoURL: z
    .url({ protocol: /^https$/, error: VALIDATION.photoURL })
    .max(PHOTO_URL_MAX, VALIDATION.photoURL)
    .nullable()
    .optional(),
})

export const USER_SORTS = ['user', 'email', 'role', 'joined', 'lastLogin'] as const
export const usersQuerySchema = z.object({
  role: filterBy(roleSchema),
  search: searchSchema,
  sort: sortBy(USER_SORTS),
  ...pageQueryShape,
})
export const usersAnswerSchema = success({
  users: z.array(userSchema),
  pagination: z.object({ ...paginationShape, totalUsers: z.number().int() }),
})
export const userCountAnswerSchema = success({ count: z.number().int() })
export const roleBodySchema = z.strictObject({ role: roleSchema })
