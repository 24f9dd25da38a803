import { expect, fakeCamera, test } from './support/fixtures.ts'

test('the pretended camera shows what the test holds before it, over a reload too', async ({ page }) => {
  const camera = await fakeCamera(page, { decodes: true })
  const darkPixels = () =>
    page.evaluate(async () => {
      const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
      const video = document.createElement('video')
      video.muted = true
      video.srcObject = stream
      await video.play()
      await new Promise((resolve) => video.requestVideoFrameCallback(resolve))
      const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight)
      const context = canvas.getContext('2d')
      context?.drawImage(video, 0, 0)
      for (const track of stream.getTracks()) track.stop()
      const { data } = context?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] }
      return data.filter((value, index) => index % 4 === 0 && value < 40).length
    })
  await page.goto('/healthz')
  await expect.poll(darkPixels).toBe(0)
  await camera.showCode('GR1:A')
  await expect.poll(darkPixels).toBeGreaterThan(10_000)
  await page.reload()
  await expect.poll(darkPixels).toBeGreaterThan(10_000)
  await camera.showCode(null)
  await expect.poll(darkPixels).toBe(0)
  expect((await camera.seen()).deviceIds).toContain('camera-0')
})
