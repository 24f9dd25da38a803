import type { Page } from './page.ts'

export const hero = (page: Page) => page.locator('section[aria-labelledby="event-name"]')
export const section = (page: Page, id: string) => page.locator(`section#${id}`)
