import { PAGE_COOKIES } from '@garba/shared/contracts/site/pages'
import { changeEvent, eventOf, runningNow } from '../e2e/support/event.ts'
import { expect, type TestServer, test } from './support/fixtures.ts'

/** What the server answers, before any script runs. */
const textOf = async ({ url }: TestServer, path: string, cookie = '') =>
  (await fetch(new URL(path, url), { headers: { cookie } })).text()

test('the server renders in the language kept in the cookie', async ({ server }) => {
  const page = await textOf(server, '/', `${PAGE_COOKIES.language}=gu`)
  expect(page).toContain('<html lang="gu">')
  const hero = /<section[^>]*aria-labelledby="event-name".*?<\/section>/s.exec(page)?.[0]
  expect(hero).toContain('નવરાત્રિ પહેલાંની ભવ્ય ઉજવણી')
})

test('a change of the event is in the next page, and its words cannot break out of it', async ({ server }) => {
  const evil = '</script><script>alert(1)</script><!--'
  await changeEvent(await server.api('admin'), { name: 'Raas under lamps', description: evil })
  const page = await textOf(server, '/')
  expect(page).toContain('>Raas under lamps</h1>')
  expect(page).not.toContain('<script>alert(1)')
  // The module, the structured data and the page's own data.
  expect(page.match(/<script/g)).toHaveLength(3)
})

test('the server renders what the event is at this moment', async ({ server }) => {
  expect(await textOf(server, '/')).toContain('data-phase="before"')
  await changeEvent(await server.api('admin'), runningNow())
  expect(await textOf(server, '/')).toMatch(/data-phase="running".*The garba is on/s)
})

test('the page that an app starts from offline shows no event of the day it was kept', async ({ server }) => {
  const event = await eventOf(server)
  const bare = await textOf(server, '/index.html')
  expect(bare).toContain('<div id="root"></div>')
  expect(bare).not.toContain(event.venue)
})
