import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { EventPerformance, RangeStats } from './AnalyticsView.tsx'

test('money in analytics has no decimals: the ticket price and the average neither (SPEC 9)', () => {
  const performance = renderToStaticMarkup(
    createElement(EventPerformance, {
      event: { name: 'Garba', soldTickets: 3, availableTickets: 997, soldPercentage: 0.3, ticketPrice: 299.5 },
    }),
  )
  expect(performance).toContain('₹300')
  const stats = renderToStaticMarkup(
    createElement(RangeStats, {
      data: {
        revenue: { total: 123_456.75, today: 0 },
        tickets: { total: 400, soldToday: 0 },
        users: { total: 1 },
        analytics: { averageTicketValue: 308.64, conversionRate: 100 },
        event: null,
        salesChart: [],
        hourlySales: [],
      },
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
        data: {
          // Two tickets were paid for; of one that was cancelled, 40 rupees were kept.
          revenue: { total: 339, today: 339 },
          tickets: { total: 1, soldToday: 1 },
          users: { total: 1 },
          analytics: { averageTicketValue: 299, conversionRate: 100 },
          event: null,
          salesChart: [],
          hourlySales: [],
        },
        days: [{ _id: '2025-08-08', count: 1, revenue: 339 }],
        range,
      }),
    )
    expect(stats.match(/₹\d+/g)).toEqual(['₹339', '₹299'])
  }
})
