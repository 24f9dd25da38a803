/**
 * Words in Latin letters that a reader of another script meets, except names and words without a translation. Runs in
 * the page and must be whole in itself, as Playwright sends its text.
 */
export function latinIn(scope: Element): string[] {
  const NAMES =
    /Garba Rass|Garima Guest|guest@garba\.test|Rangmanch Grounds, Sindhu Bhavan Road, Ahmedabad|QR|Add to Home Screen|Google|\b[AP]M\b|\b[0-9A-HJKMNP-TV-Z]{8}\b|\b[0-9A-Z]{26}\b/g
  const SHOW_TEXT = 4
  // Where a line may break, no word ends.
  const copy = scope.cloneNode(true) as Element
  for (const mayBreak of copy.querySelectorAll('wbr')) mayBreak.remove()
  copy.normalize()
  const walker = scope.ownerDocument.createTreeWalker(copy, SHOW_TEXT)
  const found: string[] = []
  while (walker.nextNode()) {
    const rest = (walker.currentNode.textContent ?? '').replace(NAMES, '')
    if (/[a-z]{2,}/i.test(rest)) found.push(rest.trim())
  }
  return found
}
