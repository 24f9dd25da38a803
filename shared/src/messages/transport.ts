/** What is said when a call fails (SPEC 8, Transport). */
export const TRANSPORT = {
  server: 'Server error. Please try again later.',
  requestFailed: (status: number) => `Request failed (${status})`,
  noResponse: 'Network error. Please check your connection and try again.',
  unexpected: 'An unexpected error occurred.',
} as const

const textIn = (body: unknown, field: 'message' | 'error'): string => {
  const value: unknown =
    typeof body === 'object' && body !== null ? (body as Partial<Record<typeof field, unknown>>)[field] : undefined
  return typeof value === 'string' ? value.trim() : ''
}

/**
 * The sentence for an answer of HTTP status 400 or above, `body` its JSON or whatever came instead: 500 and above never
 * shows the server's own words, others show the message or error field, else the status.
 */
export function failedAnswerText({ status, body }: { status: number; body: unknown }): string {
  if (status >= 500) return TRANSPORT.server
  return textIn(body, 'message') || textIn(body, 'error') || TRANSPORT.requestFailed(status)
}
