/**
 * The address of a call under /api: `{name}` holes filled and escaped, query values that are empty, null or undefined left out.
 * Throws when a hole has no value.
 */
export function urlOf(path: string, params: Record<string, string> = {}, query: Record<string, unknown> = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_hole, name: string) => {
    const value = params[name]
    if (value === undefined || value === '') throw new Error(`The call ${path} needs ${name}`)
    return encodeURIComponent(value)
  })
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value))
  }
  const text = search.toString()
  return `/api${filled}${text === '' ? '' : `?${text}`}`
}
