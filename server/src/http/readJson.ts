import type { Context } from 'hono'
import { Refusal } from '../refusal.ts'

/** The JSON of a body; undefined when it is empty. Refuses with MALFORMED_JSON. */
export async function readJson(c: Context): Promise<unknown> {
  const text = await c.req.text()
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw new Refusal('MALFORMED_JSON')
    throw error
  }
}
