import { family, NAMES } from './support/family.ts'
import { expect, type Page, test } from './support/fixtures.ts'
import { Gate } from './support/gate.ts'
import { expectNoViolationsInBothSizes } from './support/screen.ts'

const choice = (page: Page) => page.getByRole('dialog', { name: 'Group of 4' })

test('a group code before the camera: the names, who is inside, and the other three by one tap', async ({
  server,
  page,
}) => {
  const { code, inside } = await family(server)
  const gate = await Gate.open(page, { decodes: true })
  await gate.start()
  await gate.camera.showCode(code)
  await expect(choice(page)).toContainText('3 to go in, 1 inside already')
  for (const name of NAMES) await expect(choice(page)).toContainText(name)
  await expect(choice(page).getByRole('checkbox')).toHaveCount(3)
  await expectNoViolationsInBothSizes(page, 'group')
  const main = choice(page).getByRole('button', { name: 'Let all 3 in' })
  await expect(main).toBeFocused()
  await main.click()
  expect(await gate.nextVerdict(0)).toMatchObject({
    look: 'allowed',
    by: 'server',
    words: expect.stringMatching(/^Entry Allowed! \| 3 let in \| /),
  })
  await expect(choice(page)).toBeHidden()
  expect(await inside()).toBe(4)
  await expect.poll(() => gate.tiles()).toEqual([3, 3, 0])
})
