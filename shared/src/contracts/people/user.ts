import { NAME_MAX, PHOTO_URL_MAX } from '../../constants.ts'
import { VALIDATION } from '../../messages/codes.ts'
import { LANGUAGES } from '../../messages/language.ts'
import {
  defineAnswer,
  filterBy,
  instantSchema,
  nameSchema,
  pageQueryShape,
  paginationShape,
  roleSchema,
  searchSchema,
  sortBy,
  ulidSchema,
} from '../common.ts'
import { ROLES, type Role } from '../names.ts'
import * as z from '../zod.ts'

/** Any text: a newer server may have roles that a page does not know. They get the screen Invalid Role. */
const answeredRoleSchema = z.string().meta({ enum: ROLES }) as unknown as z.ZodType<Role>

export const userSchema = z.object({
  _id: ulidSchema,
  name: z.string(),
  displayName: z.string(),
  email: z.string(),
  role: answeredRoleSchema,
  profilePicture: z.string().nullable(),
  photoURL: z.string().nullable(),
  firebaseUID: z.string(),
  createdAt: instantSchema,
  lastLogin: instantSchema.nullable(),
})
export type User = z.infer<typeof userSchema>

export const signInBodySchema = z.strictObject({ idToken: z.string().min(1).max(8192) })
export const signInAnswerSchema = defineAnswer({ user: userSchema, isNewUser: z.boolean() })

export const mailLinkBodySchema = z.strictObject({
  email: z.string(VALIDATION.email).trim().max(200, VALIDATION.email).pipe(z.email(VALIDATION.email)),
  language: z.enum(LANGUAGES).optional(),
  tickets: z.number().int().min(1).max(10_000).optional(),
  order: z
    .string()
    .regex(/^[\w-]{1,40}$/)
    .optional(),
})
export const userAnswerSchema = defineAnswer({ user: userSchema })

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
export const usersAnswerSchema = defineAnswer({
  users: z.array(userSchema),
  pagination: z.object({ ...paginationShape, totalUsers: z.number().int() }),
})
export const userCountAnswerSchema = defineAnswer({ count: z.number().int() })
export const roleBodySchema = z.strictObject({ role: roleSchema })

export const deleteMeBodySchema = z.strictObject({ confirm: z.literal(true), giveUp: z.literal(true).optional() })
