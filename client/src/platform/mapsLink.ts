/**
 * A link that opens a venue in the phone's maps: Apple Maps on Apple devices, elsewhere Google's universal link, which
 * Android opens in the installed app.
 */
export function mapsLink(venue: string, userAgent: string): string {
  const place = encodeURIComponent(venue)
  return /iPhone|iPad|Macintosh/.test(userAgent)
    ? `https://maps.apple.com/?q=${place}`
    : `https://www.google.com/maps/search/?api=1&query=${place}`
}
