import * as z from 'zod'

/** A setting that may be missing. Empty counts as unset, because `.env` files also list settings they do not use. */
export const optional = <S extends z.ZodType>(schema: S) =>
  z.preprocess((text) => (text === '' ? undefined : text), schema)
