import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { DayBars, EventPerformance, RangeStats, SalesTip } from '../src/desk/analytics/AnalyticsView.tsx'

const figures = ({ revenue, tickets, average }: { revenue: number; tickets: number; average: number }) => ({
  revenue: { total: revenue, today: 0 },
  tickets: { total: tickets, soldToday: 0 },
  users: { total: 1 },
  analytics: { averageTicketValue: average, conversionRate: 100 },
  event: null,
  salesChart: [],
  hourlySales: [],
})

test('money in analytics has no decimals: the ticket price and the average neither', () => {
  const performance = renderToStaticMarkup(
    createElement(EventPerformance, {
      event: { name: 'Garba', soldTickets: 3, availableTickets: 997, soldPercentage: 0.3, ticketPrice: 299.5 },
    }),
  )
  expect(performance).toContain('₹300')
  const stats = renderToStaticMarkup(
    createElement(RangeStats, {
      data: figures({ revenue: 123_456.75, tickets: 400, average: 308.64 }),
      days: [],
      range: 'all',
    }),
  )
  expect(stats).toContain('₹1,23,457')
  expect(stats).toContain('₹309')
  expect(performance + stats).not.toMatch(/₹[\d,]+\.\d/)
})

test('the average is that of the tickets sold, without what was kept of cancelled ones, as on Home', () => {
  for (const range of ['week', 'all'] as const) {
    const stats = renderToStaticMarkup(
      createElement(RangeStats, {
        // Two tickets were paid for; of one that was cancelled, 40 rupees were kept.
        data: figures({ revenue: 339, tickets: 1, average: 299 }),
        days: [{ _id: '2025-08-08', count: 1, revenue: 339, prices: 299 }],
        range,
      }),
    )
    expect(stats.match(/₹\d+/g)).toEqual(['₹339', '₹299'])
  }
  // Neither do days that leave out a sale divide the money that was kept by their tickets.
  const week = createElement(RangeStats, {
    data: figures({ revenue: 638, tickets: 2, average: 299 }),
    days: [{ _id: '2025-08-08', count: 1, revenue: 339, prices: 299 }],
    range: 'week',
  })
  expect(renderToStaticMarkup(week).match(/₹\d+/g)).toEqual(['₹339', '₹299'])
})

test('days whose tickets were all cancelled still have the money that was kept', () => {
  const days = [{ _id: '2025-08-08', count: 0, revenue: 40, prices: 0 }]
  const bars = renderToStaticMarkup(createElement(DayBars, { title: 'Daily Sales, Last 7 Days', days }))
  expect(bars).toContain('₹40')
  expect(bars).not.toContain('No sales')
})

test.each([
  [1, '₹299, 1 ticket<'],
  [1200, '₹299, 1,200 tickets<'],
])('a bar of %i says how many tickets it stands for', (count, text) => {
  expect(renderToStaticMarkup(createElement(SalesTip, { point: { label: '8 Aug', count, revenue: 299 } }))).toContain(
    text,
  )
})
