import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type SseMessage, sseParser } from './sseParser.ts'

const parse = (pieces: string[]): SseMessage[] => {
  const heard: SseMessage[] = []
  const feed = sseParser((message) => heard.push(message))
  for (const piece of pieces) feed(piece)
  return heard
}

const STREAM =
  ': hello\r\nevent: roster\r\ndata: {"a":1}\r\nid: 7\r\n\r\ndata: one\ndata: two\n\nevent: heartbeat\rdata:x\r\r\n'

test('messages carry event, joined data and the last id', () => {
  expect(parse([STREAM])).toEqual([
    { event: 'roster', data: '{"a":1}', id: '7' },
    { event: 'message', data: 'one\ntwo', id: '7' },
    { event: 'heartbeat', data: 'x', id: '7' },
  ])
})

test('where the network cuts the stream changes nothing', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(STREAM.length), { maxLength: 12 }), (cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), STREAM.length]
      const pieces = places.slice(1).map((end, index) => STREAM.slice(places[index], end))
      expect(parse(pieces)).toEqual(parse([STREAM]))
    }),
  )
})

test('a message that was cut off is not told', () => {
  expect(parse(['event: roster\ndata: {"half":'])).toEqual([])
})

test('comments and events without data are no messages', () => {
  expect(parse([': beat\n\n', 'event: roster\n\n', '\n\n\n'])).toEqual([])
})
