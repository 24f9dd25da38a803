import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readMessages, type SseMessage } from '../src/platform/http/stream.ts'

const bytes = new TextEncoder()

async function read(pieces: Uint8Array[]): Promise<SseMessage[]> {
  const received: SseMessage[] = []
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })
  await readMessages(body, { onPiece: () => undefined, onMessage: (message) => received.push(message) })
  return received
}
const readText = (text: string) => read([bytes.encode(text)])

const STREAM =
  ': hello\r\nevent: roster\r\ndata: {"a":"ગરબા"}\r\nid: 7\r\n\r\ndata: one\ndata: two\n\nevent: heartbeat\rdata:x\r\r\n'

test('messages carry event, joined data and id', async () => {
  expect(await readText(STREAM)).toMatchObject([
    { event: 'roster', data: '{"a":"ગરબા"}', id: '7' },
    { data: 'one\ntwo' },
    { event: 'heartbeat', data: 'x' },
  ])
})

test('it does not matter where the network cuts the stream', async () => {
  const stream = bytes.encode(STREAM)
  const whole = await read([stream])
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(stream.length), { maxLength: 12 }), async (cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), stream.length]
      const pieces = places.slice(1).map((end, index) => stream.slice(places[index], end))
      expect(await read(pieces)).toEqual(whole)
    }),
  )
})

test('a message that was cut off is dropped', async () => {
  expect(await readText('event: roster\ndata: {"half":')).toEqual([])
})

test('comments and events without data are not messages', async () => {
  expect(await readText(': beat\n\n')).toEqual([])
  expect(await readText('event: roster\n\n')).toEqual([])
  expect(await readText('\n\n\n')).toEqual([])
})

test('a comment shows that the connection is alive', async () => {
  let pieces = 0
  await readMessages(new Blob([': beat\n\n']).stream(), { onPiece: () => pieces++, onMessage: () => undefined })
  expect(pieces).toBe(1)
})
