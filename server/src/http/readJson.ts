import { Refusal } from '../refusal.ts'

const utf8 = new TextDecoder()

/** The JSON of a body; undefined when it is empty. Refuses with MALFORMED_JSON. */
export function readJson(body: Uint8Array): unknown {
  const text = utf8.decode(body)
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw new Refusal('MALFORMED_JSON')
    throw error
  }
}
