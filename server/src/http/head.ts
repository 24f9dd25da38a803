import type { GarbaEvent } from '@garba/shared/contracts/event'
import { SUBTITLE } from '@garba/shared/messages/common'
import { longDay } from '@garba/shared/messages/language'
import { formatRupees } from '@garba/shared/rules/money'

const SLOT = /<!--meta-->[\s\S]*?<!--\/meta-->/
const PREVIEW_IMAGE = '/og.jpg'
const DESCRIPTION_MAX = 300

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')

const shortened = (text: string): string =>
  text.length <= DESCRIPTION_MAX ? text : `${text.slice(0, DESCRIPTION_MAX - 1).trimEnd()}…`

/** JSON that cannot close the script element around it. */
export const scriptSafe = (value: unknown): string => JSON.stringify(value).replace(/</g, '\\u003c')

interface Page {
  html: string
  event: GarbaEvent | null
  /** The page's address without the host. */
  path: string
  /** The host's address without a trailing slash. */
  publicUrl: string
  /** The site's name. */
  title: string
}

/** schema.org's Event, for search engines. */
function structuredData(event: GarbaEvent, { publicUrl, title }: Page, image: string): unknown {
  const availability = event.availableTickets > 0 ? 'InStock' : 'SoldOut'
  return {
    '@context': 'https://schema.org',
    '@type': 'Event',
    name: event.name,
    description: event.description,
    startDate: event.startsAt,
    endDate: event.endsAt,
    eventStatus: 'https://schema.org/EventScheduled',
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    location: { '@type': 'Place', name: event.venue, address: event.venue },
    image: [image],
    organizer: { '@type': 'Organization', name: title, url: publicUrl },
    offers: {
      '@type': 'Offer',
      price: event.ticketPrice,
      priceCurrency: 'INR',
      availability: `https://schema.org/${availability}`,
      url: publicUrl,
      validFrom: event.createdAt,
    },
  }
}

/** Fills in title, description, link preview and, on the landing page, structured data from the event. */
export function withHead(page: Page): string {
  const { html, event, path, publicUrl, title: siteTitle } = page
  const title = event ? `${event.name} | ${longDay(event.date, 'en')}` : siteTitle
  const facts = event && `${event.venue}. Tickets from ${formatRupees(Math.min(event.ticketPrice, event.groupPrice4))}.`
  const description = shortened(event ? `${SUBTITLE}. ${facts} ${event.description}` : SUBTITLE)
  const image = `${publicUrl}${event?.eventImage ?? PREVIEW_IMAGE}`
  const property = (name: string, content: string) => `<meta property="${name}" content="${escaped(content)}" />`
  const named = (name: string, content: string) => `<meta name="${name}" content="${escaped(content)}" />`
  const lines = [
    `<title>${escaped(path === '/' ? title : siteTitle)}</title>`,
    named('description', description),
    property('og:type', 'website'),
    property('og:site_name', siteTitle),
    property('og:title', title),
    property('og:description', description),
    property('og:url', `${publicUrl}${path}`),
    property('og:image', image),
    property('og:locale', 'en_IN'),
    named('twitter:card', 'summary_large_image'),
    `<link rel="canonical" href="${escaped(`${publicUrl}${path}`)}" />`,
  ]
  if (event && path === '/')
    lines.push(`<script type="application/ld+json">${scriptSafe(structuredData(event, page, image))}</script>`)
  // A function, because `$` in an event's text has a special meaning in a replacement string.
  return html.replace(SLOT, () => lines.join('\n    '))
}
