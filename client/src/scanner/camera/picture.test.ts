import { expect, test } from 'vitest'
import { createPicture } from './picture.ts'

/** As much of a video element as the picture needs, with a browser behind it that answers `play` so. */
const videoThat = (answer: Promise<void>) =>
  ({
    play: () => answer,
    requestVideoFrameCallback: () => 1,
    cancelVideoFrameCallback: () => undefined,
  }) as unknown as HTMLVideoElement

async function stillAfter(answer: Promise<void>): Promise<unknown[]> {
  const reported: unknown[] = []
  const picture = createPicture({ isLooking: () => false, onStall: () => undefined, onLooked: () => undefined })
  picture.put(videoThat(answer))
  picture.show({
    stream: {} as MediaStream,
    decoder: {
      ready: Promise.resolve('library' as const),
      takes: () => 'frames',
      isBusy: () => true,
      decode: async () => null,
      stop: () => undefined,
    },
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

test('a picture replaced before it played is not a failure', async () => {
  expect(await stillAfter(Promise.reject(new DOMException('A new load came', 'AbortError')))).toEqual([])
  expect(await stillAfter(Promise.resolve())).toEqual([])
})
