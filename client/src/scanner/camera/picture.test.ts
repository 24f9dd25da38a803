import { expect, test } from 'vitest'
import type { Decoder } from '../decode/createDecoder.ts'
import { createPicture } from './picture.ts'

/** As much of a video element as the picture needs, with a browser behind it that answers `play` so. */
const videoThat = (answer: Promise<void>) =>
  ({
    play: () => answer,
    requestVideoFrameCallback: () => 1,
    cancelVideoFrameCallback: () => undefined,
  }) as unknown as HTMLVideoElement

const DECODER: Decoder = {
  ready: Promise.resolve('library' as const),
  takes: () => 'frames',
  isBusy: () => true,
  decode: async () => null,
  stop: () => undefined,
}

const WATCH = {
  isLooking: () => false,
  onStall: () => undefined,
  onLooked: () => undefined,
  onRest: () => undefined,
}

async function stillAfter(answer: Promise<void>): Promise<unknown[]> {
  const reported: unknown[] = []
  const picture = createPicture(WATCH)
  picture.put(videoThat(answer))
  picture.show({
    stream: {} as MediaStream,
    decoder: DECODER,
    onPicture: () => undefined,
    onStill: (error) => reported.push(error),
  })
  await answer.catch(() => undefined)
  await Promise.resolve()
  picture.clear()
  return reported
}

test('a browser that refuses to play the picture is reported', async () => {
  const refused = new DOMException('The page is not allowed to play', 'NotAllowedError')
  expect(await stillAfter(Promise.reject(refused))).toEqual([refused])
})

test('after a refusal a frame counts only from a video that plays', async () => {
  let frame = () => {}
  let pictures = 0
  const video = Object.assign(videoThat(Promise.reject(new DOMException('No', 'NotAllowedError'))), {
    paused: true,
    requestVideoFrameCallback: (then: () => void) => {
      frame = then
      return 1
    },
  })
  const picture = createPicture(WATCH)
  picture.put(video)
  picture.show({
    stream: {} as MediaStream,
    decoder: DECODER,
    onPicture: () => {
      pictures += 1
    },
    onStill: () => undefined,
  })
  await Promise.resolve().then(() => undefined)
  frame()
  expect(pictures).toBe(0)
  Object.assign(video, { paused: false })
  frame()
  expect(pictures).toBe(1)
  picture.clear()
})

test('a picture replaced before it played is not a failure', async () => {
  expect(await stillAfter(Promise.reject(new DOMException('A new load came', 'AbortError')))).toEqual([])
  expect(await stillAfter(Promise.resolve())).toEqual([])
})
