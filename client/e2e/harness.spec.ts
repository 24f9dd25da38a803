import { DEMO_ACCOUNTS, expect, fakeCamera, signIn, test } from './support/fixtures.ts'

test.describe('in a process of its own', () => {
  test.use({ serverOptions: { ownProcess: true } })

  test('a server that was killed comes back on its port with its data', async ({ server, page }) => {
    const guest = await server.api('guest')
    const url = server.url
    await server.kill()
    expect(server.isRunning).toBe(false)
    await server.start()
    expect(server.url).toBe(url)
    expect((await guest.call('me')).body).toMatchObject({ user: { _id: guest.user._id, role: 'guest' } })
    expect(server.rows('select name from users order by name')).toHaveLength(4)
    expect((await page.goto('/healthz'))?.status()).toBe(200)
  })
})

test('each demo account has its role', async ({ server }) => {
  for (const [account, role] of [
    ['admin', 'admin'],
    ['manager', 'manager'],
    ['checker', 'qrchecker'],
    ['guest', 'guest'],
  ] as const) {
    expect((await server.api(account)).user.role).toBe(role)
  }
})

test('the pretended camera shows what the test holds before it, over a reload too', async ({ page }) => {
  const camera = await fakeCamera(page)
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

for (const role of ['admin', 'manager', 'guest', 'checker'] as const) {
  test(`the demo's account chooser signs in the ${role}`, async ({ page }) => {
    await page.goto('/')
    await signIn(page, role)
    await expect(page.getByRole('button', { name: new RegExp(DEMO_ACCOUNTS[role].name) })).toBeVisible()
  })
}
