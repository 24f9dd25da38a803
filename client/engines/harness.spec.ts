import { expect, test } from './support/fixtures.ts'

test('what goes wrong in a page reaches the test', async ({ tab, front }) => {
  await tab.goto('/')
  await tab.evaluate(() => {
    console.error('said by the page')
    void Promise.reject(new Error('left uncaught'))
    const picture = document.createElement('img')
    picture.src = 'https://example.test/picture.png'
    document.body.append(picture)
  }, undefined)
  for (const complaint of ['console.error: said by the page', 'left uncaught', 'forbidden: img-src'])
    await expect.poll(() => front.complaints).toContainEqual(expect.stringContaining(complaint))
  front.complaints.length = 0
})
