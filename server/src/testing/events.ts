export interface ServerSentEvent {
  event: string
  data: unknown
}

/** Yields the server-sent events of a response as they arrive. Leaving the loop disconnects. */
export async function* eventsOf(response: Response): AsyncGenerator<ServerSentEvent> {
  if (!response.body) return
  let text = ''
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (text + chunk).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) yield read(block)
  }
}

function read(block: string): ServerSentEvent {
  const field = (name: string) =>
    block
      .split('\n')
      .filter((line) => line.startsWith(`${name}:`))
      .map((line) => line.slice(name.length + 1).trimStart())
      .join('\n')
  return { event: field('event'), data: JSON.parse(field('data') || 'null') }
}
