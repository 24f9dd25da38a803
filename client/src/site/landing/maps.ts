/**
 * A link that opens the phone's own maps at a venue: Apple's on its devices, elsewhere Google's universal link, which
 * Android hands to the installed app.
 */
export function mapsLink(venue: string, userAgent: string): string {
  const place = encodeURIComponent(venue)
  return /iPhone|iPad|Macintosh/.test(userAgent)
    ? `https://maps.apple.com/?q=${place}`
    : `https://www.google.com/maps/search/?api=1&query=${place}`
}
