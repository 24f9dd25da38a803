export interface SseMessage {
  /** `message` where the server names none. */
  event: string
  data: string
  id: string | null
}

/**
 * Reads the text of an event stream piece by piece (WHATWG HTML, "Interpreting an event stream") and hands over each
 * complete message. Comments are dropped: they only show that the line lives.
 */
export function sseParser(onMessage: (message: SseMessage) => void): (text: string) => void {
  let rest = ''
  let event = ''
  let data: string[] = []
  let id: string | null = null

  const dispatch = () => {
    if (data.length > 0) onMessage({ event: event || 'message', data: data.join('\n'), id })
    event = ''
    data = []
  }
  const field = (line: string) => {
    const colon = line.indexOf(':')
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (name === 'data') data.push(value)
    if (name === 'event') event = value
    if (name === 'id') id = value
  }
  return (text) => {
    rest += text
    // A carriage return at the very end may be half of a CRLF: it waits for the next piece.
    for (let end = lineEnd(rest); end; end = lineEnd(rest)) {
      const line = rest.slice(0, end.at)
      rest = rest.slice(end.next)
      if (line === '') dispatch()
      else field(line)
    }
  }
}

function lineEnd(text: string): { at: number; next: number } | null {
  const at = text.search(/[\r\n]/)
  if (at < 0 || (text[at] === '\r' && at === text.length - 1)) return null
  return { at, next: text.startsWith('\r\n', at) ? at + 2 : at + 1 }
}
