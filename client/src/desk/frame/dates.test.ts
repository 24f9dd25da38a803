import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { queries } from '../../platform/queries.ts'
import AnalyticsView from '../analytics/AnalyticsView.tsx'
import { hoursText, hourText } from './dates.ts'

test("the event's hours and the hours of a chart are on a 12-hour clock", () => {
  expect(hoursText({ startTime: '18:30', endTime: '22:30' })).toBe('6:30 PM - 10:30 PM')
  expect(hoursText({ startTime: '00:05', endTime: '12:00' })).toBe('12:05 AM - 12:00 PM')
  expect([0, 4, 12, 23].map(hourText)).toEqual(['12:00 AM', '4:00 AM', '12:00 PM', '11:00 PM'])
})

test('the analytics show them so', () => {
  const client = new QueryClient()
  const shown = (screen: ReactNode) =>
    renderToStaticMarkup(createElement(QueryClientProvider, { client }, createElement(MemoryRouter, null, screen)))

  const data = {
    revenue: { total: 299, today: 299 },
    tickets: { total: 1, soldToday: 1 },
    users: { total: 1 },
    analytics: { averageTicketValue: 299, conversionRate: 100 },
    event: null,
    salesChart: [],
    hourlySales: Array.from({ length: 24 }, (_, hour) => ({ _id: hour, count: 1, revenue: 299, prices: 299 })),
  }
  client.setQueryData(queries.analytics().queryKey, { success: true, data })
  const analytics = shown(createElement(AnalyticsView))
  expect(analytics).toContain('4:00 AM')
  expect(analytics).not.toContain('04:00')
})
