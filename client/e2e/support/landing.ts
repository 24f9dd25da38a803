import type { GarbaEvent } from '@garba/shared/contracts/event'
import { expect, type Page } from '@playwright/test'
import { callApi } from './api.ts'
import type { TestServer } from './server.ts'

export const hero = (page: Page) => page.locator('section[aria-labelledby="event-name"]')
export const section = (page: Page, id: string) => page.locator(`section#${id}`)

export const eventOf = async (server: TestServer): Promise<GarbaEvent> =>
  ((await callApi({ url: server.url, name: 'event' })).body as { data: GarbaEvent }).data

/** Changes the event as the admin would in the form. */
export async function changeEvent(server: TestServer, changes: Partial<GarbaEvent>): Promise<void> {
  const { name, venue, description, date, startTime, endTime, ticketPrice, groupPrice4, totalTickets, ...rest } =
    await eventOf(server)
  const { eventImage, features, aboutText } = rest
  const body = { name, venue, description, date, startTime, endTime, ticketPrice, groupPrice4, totalTickets }
  const admin = await server.api('admin')
  const answer = await admin.call('updateEvent', { body: { ...body, eventImage, features, aboutText, ...changes } })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
}
